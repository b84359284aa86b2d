// Resolves the references of an asm.json to signed links that an engine can load.
import type { Actor } from '../../core/domain/access/actor.ts';
import { assertAbility, hasAbility } from '../../core/domain/access/permissions.ts';
import { addressKey } from '../../core/domain/assembly/address.ts';
import type { AsmJson } from '../../core/domain/assembly/asm-json.ts';
import {
  type LoadableReference,
  resolveAsmJson as resolvedForm,
  templateName,
} from '../../core/domain/assembly/resolved-asm-json.ts';
import { notFound, refuse } from '../../core/domain/errors.ts';
import { holderOf } from '../../core/domain/jobs/job-fence.ts';
import type { Context } from '../../core/graphql.ts';
import { linkExpiry, signPath } from '../../core/platform/signed-link.ts';
import { ASM_JSON, structureLines } from '../../core/store/assembly/references.ts';
import { artifactOfKind } from '../../core/store/files/artifacts.ts';
import { readBlob } from '../../core/store/files/blobs.ts';
import { inputsOf } from '../../core/store/jobs/job-inputs.ts';
import { runningJobsOfToken } from '../../core/store/jobs/jobs.ts';
import { find, get } from '../../core/store/query/records.ts';
import type { Scope } from '../../core/store/query/scope.ts';
import type { ArtifactRecord } from '../../core/store/schema/collections.ts';
import { type Loadable, type LoadError, loadableReferences, type TargetVersion } from './loadable-references.ts';
import { requireAssembly } from './read-references.ts';

type Input = { versionId: string; origin?: string | null; linksExpireAt?: Date | null };
type UnloadableReference = LoadError & Partial<TargetVersion> & { path: string; location: string };

/**
 * Returns the asm.json of an assembly with its references replaced by links that an engine can load without a token:
 * the STEP file of a model (or its OFB file), the resolved form of an assembly. Null if there is no such draft or
 * version. If any reference cannot be loaded, throws `unresolved_reference` or `not_converted` with a list of all such
 * references; `final` means that waiting will not help. A worker can read it for the jobs it holds.
 */
export async function resolvedAsmJson(
  _parent: unknown,
  { versionId, origin, linksExpireAt }: Input,
  { scope, request, services }: Context,
): Promise<AsmJson | null> {
  const asmJson = await asmJsonFor(scope, request.actor, versionId);
  if (!asmJson) return null;
  const { key, publicUrl } = services.links;
  const base = (publicUrl ?? origin ?? '').replace(/\/+$/, '');
  const expiry = linkExpiry(services.clock());
  const expiresAt = linksExpireAt && linksExpireAt < expiry ? linksExpireAt : expiry;

  const asm = JSON.parse(await readBlob(scope, asmJson.sha256)) as AsmJson;
  const lines = await structureLines(scope, asmJson.sha256);
  const loadables = await loadableReferences(scope, await get(scope, 'versions', asmJson.versionId), lines);

  const unloadable: UnloadableReference[] = [];
  const links = new Map<string, LoadableReference>();
  for (const { occurrences, ...line } of lines) {
    const result = loadables.get(addressKey(line));
    if (!result) throw new Error(`The reference ${line.location} of ${asmJson.versionId} is missing in the store`);
    const { target, file } = result;
    for (const { path } of occurrences) {
      if ('code' in file) {
        const message = describeError(templateName(asm, path), line.location, file);
        unloadable.push({ path, location: line.location, ...target, ...file, message });
      } else links.set(path, { ...toLoadableReference(file, base, key, expiresAt), address: line.location });
    }
  }
  if (unloadable.length) rejectUnloadable(unloadable);
  return resolvedForm(asm, links);
}

async function asmJsonFor(scope: Scope, actor: Actor, versionId: string): Promise<ArtifactRecord | null> {
  if (actor.role !== 'system' && !hasAbility(actor.role, 'read')) {
    assertAbility({ role: actor.role }, 'work');
    return asmJsonOfHeldJob(scope, actor, versionId);
  }
  if (!(await find(scope, 'versions', versionId))) return null;
  await requireAssembly(scope, versionId);
  const asmJson = await artifactOfKind(scope, versionId, ASM_JSON);
  if (!asmJson) throw notFound('asm-json file in draft or version', versionId);
  return asmJson;
}

// If the draft has changed since, a version may still have the file that the job was queued for.
async function asmJsonOfHeldJob(scope: Scope, actor: Actor, versionId: string): Promise<ArtifactRecord> {
  const jobs = await runningJobsOfToken(scope, holderOf(actor).tokenId);
  const job = jobs.find((held) => held.versionId === versionId && held.inputKinds.includes(ASM_JSON));
  const asmJson = job && (await inputsOf(scope, job)).find(({ kind }) => kind === ASM_JSON);
  return asmJson ?? refuse('not_your_job', 'A worker can read only the asm.json of the jobs it holds.');
}

/** The path of the resolved form of a version's asm.json, to be signed. */
const resolvedFormPath = (versionId: string): string => `/api/v1/content/assemblies/${versionId}`;
/** The path of a content, to be signed. */
const contentPath = (sha256: string): string => `/api/v1/content/${sha256}`;

function toLoadableReference(
  { type, sha256, fileName, name, versionId }: Loadable,
  base: string,
  key: Buffer,
  expiresAt: Date,
): Omit<LoadableReference, 'address'> {
  const path = type === 'json' ? resolvedFormPath(versionId) : contentPath(sha256);
  return { location: base + signPath(key, path, fileName, expiresAt), type, name, versionId, sha256 };
}

function describeError(template: string, location: string, { code, message }: LoadError): string {
  return `template ${template}: ${code === 'unresolved_reference' ? `${location} ` : ''}${message}`;
}

const MAX_LISTED = 100;

function rejectUnloadable(references: readonly UnloadableReference[]): never {
  // An error that waiting will not fix takes precedence over others and determines the code.
  const worst =
    references.find(({ code }) => code === 'unresolved_reference') ??
    references.find(({ final }) => final) ??
    references[0];
  const { code = 'not_converted', message = '', final = true } = worst ?? {};
  const others = references.length > 1 ? ` (and ${references.length - 1} more)` : '';
  return refuse(code === 'unresolved_reference' ? code : 'not_converted', `${message}${others}`, {
    final,
    cause: code,
    errors: references.slice(0, MAX_LISTED).map(({ path, message }) => ({ path, message })),
    references: references.slice(0, MAX_LISTED),
  });
}
