// Fetches the inputs of an assembly: its asm.json, those of its subassemblies, and the STEP file of each part.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AsmJson, identOf, validateAsmJson } from '../subgraphs/core/domain/assembly/asm-json.ts';
import type { LoadableReference } from '../subgraphs/core/domain/assembly/resolved-asm-json.ts';
import type { FieldError } from '../subgraphs/core/domain/errors.ts';
import { ApiError } from '../worker-sdk/errors.ts';
import { withRetry } from '../worker-sdk/http.ts';
import { type FetchContext, fetchFile, InputError } from './fetch-file.ts';

/**
 * The files of an assembly: the path of its asm.json, and a path for each location in it and in the asm.json of its
 * subassemblies.
 */
export type AssemblyFiles = { asmJson: string; files: Record<string, string> };

/** A reference whose file has not been fetched, and the template that contains it. */
type PendingReference = { reference: LoadableReference; ident: string };

const MAX_FILES = 10_000;
const MAX_CONCURRENT = 4;

/**
 * Fetches the resolved asm.json of the job's draft or version and, recursively, every file it references. Locations are
 * replaced by a content key: the SHA-256 of a STEP file or the version id of a subassembly. Each file is therefore
 * fetched and loaded once. Throws an InputError that names the template if a reference has no file; the error is final
 * unless a conversion is in progress.
 */
export async function fetchAssembly(context: FetchContext): Promise<AssemblyFiles> {
  const { api, job, signal } = context;
  const files = new Map<string, string>();
  const root = await requestAsmJson(context, () => api.resolvedAsmJson(job, signal));
  const asmJson = await writeAsmJson(context, 'asm.json', root);
  const known = new Set<string>();
  const newReferences = (asm: AsmJson) =>
    referencesOf(asm).filter(({ reference }) => !known.has(contentKey(reference)) && known.add(contentKey(reference)));

  for (let pending = newReferences(root); pending.length; ) {
    if (known.size > MAX_FILES)
      throw new InputError('too_large', `the assembly references more than ${MAX_FILES} different files`, true);
    const subassemblies: AsmJson[] = [];
    for (let i = 0; i < pending.length; i += MAX_CONCURRENT) {
      const batch = pending.slice(i, i + MAX_CONCURRENT);
      const fetched = await Promise.all(batch.map((reference) => fetchReference(context, reference, files)));
      subassemblies.push(...fetched.flatMap((asm) => asm ?? []));
    }
    pending = subassemblies.flatMap(newReferences);
  }
  return { asmJson, files: Object.fromEntries(files) };
}

/**
 * Fetches the file of a reference. Returns the asm.json of a subassembly, whose references must still be fetched, or
 * null.
 */
async function fetchReference(
  context: FetchContext,
  { reference, ident }: PendingReference,
  files: Map<string, string>,
): Promise<AsmJson | null> {
  const { type, location, versionId, sha256 } = reference;
  // the engine rejects this type
  if (type === 'ofb') return null;
  const path = pathBelowApi(location);
  const key = contentKey(reference);
  if (type === 'stp') {
    const file = { kind: `the STEP file of ${ident}`, sha256, url: `/api/v1${path}` };
    files.set(key, await fetchFile(context, file, `${sha256}.stp`));
    return null;
  }
  const { api, signal } = context;
  const asm = await requestAsmJson(context, () => api.resolvedAsmJsonAt(path, signal), `subassembly ${ident}: `);
  files.set(key, await writeAsmJson(context, `${versionId}.asm.json`, asm));
  return asm;
}

/**
 * Requests and validates a resolved asm.json. Throws an InputError with the message of the service if a reference
 * cannot be resolved.
 */
async function requestAsmJson(
  { signal, seconds }: FetchContext,
  request: () => Promise<unknown>,
  prefix = '',
): Promise<AsmJson> {
  const value = await withRetry(request, { signal, seconds }).catch((error: unknown) => {
    if (!(error instanceof ApiError) || !UNRESOLVED.has(error.code)) throw error;
    const { final, cause } = error.details;
    throw new InputError(typeof cause === 'string' ? cause : error.code, prefix + error.message, final !== false);
  });
  const checked = validateAsmJson(value, 'resolved');
  if ('asm' in checked) return checked.asm;
  const errors = checked.errors.slice(0, 5).map(formatError).join('; ');
  throw new InputError('invalid_asm_json', `${prefix}asm.json is not valid: ${errors}`, true);
}

const UNRESOLVED = new Set(['unresolved_reference', 'not_converted']);
const formatError = ({ path, message }: FieldError) => `${path || '/'} ${message}`;

/** Writes an asm.json in which content keys replace the locations. */
async function writeAsmJson({ folder }: FetchContext, name: string, asm: AsmJson): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, JSON.stringify(withContentKeys(asm)));
  return path;
}

function withContentKeys(asm: AsmJson): AsmJson {
  const templates = asm.templates.map((template) => {
    if (template.assembly) return { ...template, assembly: withContentKeys(template.assembly) };
    if (!template.reference) return template;
    const location = contentKey(template.reference as LoadableReference);
    return { ...template, reference: { ...template.reference, location } };
  });
  return { ...asm, templates };
}

function referencesOf(asm: AsmJson): PendingReference[] {
  return asm.templates.flatMap((template, i) => {
    if (template.assembly) return referencesOf(template.assembly);
    if (!template.reference) return [];
    return [{ reference: template.reference as LoadableReference, ident: identOf(template, i) }];
  });
}

function contentKey({ type, versionId, sha256 }: LoadableReference): string {
  return type === 'json' ? versionId : sha256;
}

// The scheduler may not be able to reach the public address of a location; it uses the same path at its own API
// address.
function pathBelowApi(location: string): string {
  const [, path] = /\/api\/v1(\/content\/.*)$/.exec(location) ?? [];
  if (!path)
    throw new InputError('missing_file', `the location is not an address of the API: ${location.slice(0, 200)}`, true);
  return path;
}
