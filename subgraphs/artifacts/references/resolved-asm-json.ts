import type { Actor } from '../../core/domain/access/actor.ts';
import { hasAbility, assertAbility } from '../../core/domain/access/permissions.ts';
import { addressKey } from '../../core/domain/assembly/address.ts';
import type { AsmJson } from '../../core/domain/assembly/asm-json.ts';
import {
  type LoadableReference,
  resolvedAsmJson as resolvedForm,
  templateAt,
} from '../../core/domain/assembly/resolved-asm-json.ts';
import { notFound, refuse } from '../../core/domain/errors.ts';
import { holderOf } from '../../core/domain/jobs/job-fence.ts';
import type { Context } from '../../core/graphql.ts';
import { signedPath } from '../../core/platform/signed-link.ts';
import { ASM_JSON, structureOf } from '../../core/store/assembly/references.ts';
import { artifactOfKind } from '../../core/store/files/artifacts.ts';
import { readBlob } from '../../core/store/files/blobs.ts';
import { runningJobsOf } from '../../core/store/jobs/held-jobs.ts';
import { inputsOf } from '../../core/store/jobs/job-inputs.ts';
import { find, get } from '../../core/store/query/records.ts';
import type { Scope } from '../../core/store/query/scope.ts';
import type { ArtifactRecord } from '../../core/store/schema/collections.ts';
import { type Lack, type Loadable, loadableReferences, type Meant } from './loadable-references.ts';
import { assemblyOf } from './read-references.ts';

type Input = { versionId: string; origin?: string | null };
type Lacking = Lack & Partial<Meant> & { path: string; location: string };

/**
 * The asm.json of an assembly with references turned into addresses that an engine can load without a token: the STEP file of a model (else its OFB file) by hash,
 * the resolved form of an assembly. Whole or not at all: refuses with `unresolved_reference` and `not_converted`, listing every reference that cannot be loaded,
 * and says with `final` whether waiting is of no use. A worker may ask for the job it holds. Null when there is no such draft or version.
 */
export async function resolvedAsmJson(
  _parent: unknown,
  { versionId, origin }: Input,
  { scope, request, services }: Context,
): Promise<AsmJson | null> {
  const asmJson = await asmJsonFor(scope, request.actor, versionId);
  if (!asmJson) return null;
  const { key, publicUrl } = services.links;
  const base = (publicUrl ?? origin ?? '').replace(/\/+$/, '');
  const now = services.clock();

  const asm = JSON.parse(await readBlob(scope, asmJson.sha256)) as AsmJson;
  const lines = await structureOf(scope, asmJson.sha256);
  const loadables = await loadableReferences(scope, await get(scope, 'versions', asmJson.versionId), lines);

  const lacking: Lacking[] = [];
  const at = new Map<string, LoadableReference>();
  for (const { occurrences, ...line } of lines) {
    const known = loadables.get(addressKey(line));
    if (!known) throw new Error(`The reference ${line.location} of ${asmJson.versionId} is missing in the store`);
    const { meant, found } = known;
    for (const { path } of occurrences) {
      if ('code' in found)
        lacking.push({
          path,
          location: line.location,
          ...meant,
          ...found,
          message: told(templateAt(asm, path), line.location, found),
        });
      else at.set(path, { ...loadedBy(found, base, key, now), address: line.location });
    }
  }
  if (lacking.length) refuseLacking(lacking);
  return resolvedForm(asm, at);
}

async function asmJsonFor(scope: Scope, actor: Actor, versionId: string): Promise<ArtifactRecord | null> {
  if (actor.role !== 'system' && !hasAbility(actor.role, 'read')) {
    assertAbility({ role: actor.role }, 'work');
    return asmJsonOfHeldJob(scope, actor, versionId);
  }
  if (!(await find(scope, 'versions', versionId))) return null;
  await assemblyOf(scope, versionId);
  const asmJson = await artifactOfKind(scope, versionId, ASM_JSON);
  if (!asmJson) throw notFound('asm-json file in draft or version', versionId);
  return asmJson;
}

// of a draft that has moved on a version may still hold the file that the job is about
async function asmJsonOfHeldJob(scope: Scope, actor: Actor, versionId: string): Promise<ArtifactRecord> {
  const jobs = await runningJobsOf(scope, holderOf(actor).tokenId);
  const job = jobs.find((held) => held.versionId === versionId && held.inputKinds.includes(ASM_JSON));
  const asmJson = job && (await inputsOf(scope, job)).find(({ kind }) => kind === ASM_JSON);
  return asmJson ?? refuse('not_your_job', 'A worker reads only the asm.json of the jobs it holds.');
}

/** Where the resolved form of a version's asm.json is read with a signed link. */
const resolvedFormPath = (versionId: string): string => `/api/v1/content/assemblies/${versionId}`;
/** Where a content is read with a signed link. */
const contentPath = (sha256: string): string => `/api/v1/content/${sha256}`;

function loadedBy(
  { type, sha256, fileName, name, versionId }: Loadable,
  base: string,
  key: Buffer,
  now: Date,
): Omit<LoadableReference, 'address'> {
  const path = type === 'json' ? resolvedFormPath(versionId) : contentPath(sha256);
  return { location: base + signedPath(key, path, fileName, now), type, name, versionId, sha256 };
}

function told(template: string, location: string, { code, message }: Lack): string {
  return `template ${template}: ${code === 'unresolved_reference' ? `${location} ` : ''}${message}`;
}

const MOST_TOLD = 100;

function refuseLacking(lacking: readonly Lacking[]): never {
  // what waiting does not mend is told first, and decides
  const worst =
    lacking.find(({ code }) => code === 'unresolved_reference') ?? lacking.find(({ final }) => final) ?? lacking[0];
  const { code = 'not_converted', message = '', final = true } = worst ?? {};
  const others = lacking.length > 1 ? ` (and ${lacking.length - 1} more)` : '';
  return refuse(code === 'unresolved_reference' ? code : 'not_converted', `${message}${others}`, {
    final,
    cause: code,
    errors: lacking.slice(0, MOST_TOLD).map(({ path, message }) => ({ path, message })),
    references: lacking.slice(0, MOST_TOLD),
  });
}
