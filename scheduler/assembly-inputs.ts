// The inputs of an assembly: its asm.json, those of the assemblies in it, and the STEP file of every part, each once.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AsmFault, type AsmJson, checkAsmJson, identOf } from '../subgraphs/core/domain/asm-json.ts';
import type { LoadableReference } from '../subgraphs/core/domain/resolved-asm-json.ts';
import { type Fetching, fetchFile, MissingInput } from './fetch-file.ts';
import { ApiRefusal, untilAnswered } from './http-client.ts';

/** What an engine is given of an assembly: the path of its asm.json, and the paths behind the locations in it and in those it names. */
export type AssemblyFiles = { asmJson: string; files: Record<string, string> };

/** A file that is yet to be fetched: the reference to it, and the template that holds the reference. */
type Wanted = { reference: LoadableReference; ident: string };

const MOST_FILES = 10_000;
const AT_ONCE = 4;

/**
 * Fetches the resolved asm.json of the job's draft or version and everything it refers to at any depth. Locations become the names of what they hold:
 * the hash of a STEP file, the version of an assembly. So each is fetched once and loaded once, wherever it is used. Fails with the cause, naming the
 * template, when something has no file to load; it is final unless a conversion is still under way.
 */
export async function fetchAssembly(fetching: Fetching): Promise<AssemblyFiles> {
  const { api, job } = fetching;
  const files = new Map<string, string>();
  const top = await resolvedForm(fetching, () => api.resolvedAsmJson(job, fetching.signal));
  const asmJson = await keep(fetching, 'asm.json', top);
  const known = new Set<string>();
  const fresh = (asm: AsmJson) =>
    wantedBy(asm).filter(({ reference }) => !known.has(locationOf(reference)) && known.add(locationOf(reference)));

  for (let wanted = fresh(top); wanted.length; ) {
    if (known.size > MOST_FILES)
      throw new MissingInput('too_large', `the assembly needs more than ${MOST_FILES} different files`, true);
    const deeper: AsmJson[] = [];
    for (let i = 0; i < wanted.length; i += AT_ONCE) {
      const fetched = await Promise.all(wanted.slice(i, i + AT_ONCE).map((one) => fetchOne(fetching, one, files)));
      deeper.push(...fetched.flatMap((asm) => asm ?? []));
    }
    wanted = deeper.flatMap(fresh);
  }
  return { asmJson, files: Object.fromEntries(files) };
}

/** Fetches what a reference names; answers with the asm.json of an assembly, whose own references are still to be fetched. */
async function fetchOne(
  fetching: Fetching,
  { reference, ident }: Wanted,
  files: Map<string, string>,
): Promise<AsmJson | null> {
  const { type, location, versionId, sha256 } = reference;
  // the engine refuses it by its type
  if (type === 'ofb') return null;
  const path = belowApi(location);
  const name = locationOf(reference);
  if (type === 'stp') {
    files.set(
      name,
      await fetchFile(fetching, { kind: `the STEP file of ${ident}`, sha256, url: `/api/v1${path}` }, `${sha256}.stp`),
    );
    return null;
  }
  const asm = await resolvedForm(fetching, () => fetching.api.resolvedAt(path, fetching.signal), `part ${ident}: `);
  files.set(name, await keep(fetching, `${versionId}.asm.json`, asm));
  return asm;
}

/** Asks for a resolved asm.json and checks it; what the service cannot resolve fails the job, in the words of the service. */
async function resolvedForm({ signal, seconds }: Fetching, ask: () => Promise<unknown>, where = ''): Promise<AsmJson> {
  const value = await untilAnswered(ask, { signal, seconds }).catch((error: unknown) => {
    if (!(error instanceof ApiRefusal) || !LACKING.has(error.code)) throw error;
    const { final, cause } = error.details;
    throw new MissingInput(typeof cause === 'string' ? cause : error.code, where + error.message, final !== false);
  });
  const checked = checkAsmJson(value, 'resolved');
  if ('asm' in checked) return checked.asm;
  throw new MissingInput(
    'invalid_asm_json',
    `${where}asm.json is not valid: ${checked.faults.slice(0, 5).map(told).join('; ')}`,
    true,
  );
}

const LACKING = new Set(['unresolved_reference', 'not_converted']);
const told = ({ path, message }: AsmFault) => `${path || '/'} ${message}`;

/** Writes an asm.json with the locations of the engine in the place of links. */
async function keep({ folder }: Fetching, name: string, asm: AsmJson): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, JSON.stringify(relocated(asm)));
  return path;
}

function relocated(asm: AsmJson): AsmJson {
  const templates = asm.templates.map((template) => {
    if (template.assembly) return { ...template, assembly: relocated(template.assembly) };
    return template.reference
      ? {
          ...template,
          reference: { ...template.reference, location: locationOf(template.reference as LoadableReference) },
        }
      : template;
  });
  return { ...asm, templates };
}

function wantedBy(asm: AsmJson): Wanted[] {
  return asm.templates.flatMap((template, i) => {
    if (template.assembly) return wantedBy(template.assembly);
    return template.reference
      ? [{ reference: template.reference as LoadableReference, ident: identOf(template, i) }]
      : [];
  });
}

function locationOf({ type, versionId, sha256 }: LoadableReference): string {
  return type === 'json' ? versionId : sha256;
}

// The address people use may not be one the scheduler can reach: the same path at its own address of the API.
function belowApi(location: string): string {
  const [, path] = /\/api\/v1(\/content\/.*)$/.exec(location) ?? [];
  if (!path)
    throw new MissingInput(
      'missing_file',
      `the service named a location that is not its own: ${location.slice(0, 200)}`,
      true,
    );
  return path;
}
