import { writeArchive } from '../../../subgraphs/core/domain/jobs/code-archive.ts';
import { pluralize } from '../../../subgraphs/core/domain/text/pluralize.ts';
import { createArtifacts, type Evaluation, evaluateProduct } from './derived-artifacts.ts';
import { ENGINE_VERSION } from './engine-version.ts';
import type { Load } from './evaluate-and-write.ts';
import { loadFcstd } from './fcstd/load-fcstd.ts';
import { openFcstd } from './fcstd/open-fcstd.ts';
import { recognizeContent } from './formats/recognize-format.ts';
import { fail, JobFailure, withPartName } from './job-failure.ts';
import type { Kernel } from './kernel.ts';
import { sanitizeName } from './limits.ts';
import type { Reporter } from './process/reporter.ts';
import { loadProduct } from './product/load-product.ts';
import { IDENTITY, type Matrix } from './product/matrix.ts';
import { type Assembly, type Definition, definitionsOf, type Warning } from './product/product.ts';
import { checkStep } from './read-step.ts';
import { loadStepSet, openStepSet } from './step-set.ts';
import { tryWriteStep, writeRepaired } from './write-parts.ts';

/** A distinct part or assembly of a file, with its artifacts. */
export type SplitDocument = {
  key: string;
  kind: 'model' | 'assembly';
  name: string;
  files: { kind: string; bytes: Uint8Array }[];
};

/** The key of the document for the whole file. */
const ROOT = 'root';

// A fixed time, so that the same part gives the same bytes in every file.
const TIME = '1970-01-01T00:00:00.000Z';
// Bounded because one transaction creates all documents.
const MAX_DOCUMENTS = 500;

/**
 * Splits a STEP file, an archive of STEP files or a FreeCAD document into one document for each distinct part and assembly; `root` is the whole file. A part has a STEP
 * file, an assembly an asm.json that references the other documents as `generated:<key>`; both have derived artifacts.
 */
export async function splitStep(
  bytes: Buffer,
  startKernel: () => Promise<Kernel>,
  maxBytes: number,
  report: Reporter,
): Promise<SplitDocument[]> {
  const load = checkSource(bytes, maxBytes, report);
  const kernel = await startKernel();
  report.progress(2, 'kernel');
  // Shapes are freed before the first await: evaluate everything first, then create the artifacts without the kernel.
  const { evaluated, parts, failure } = evaluateAll(kernel, load, report);
  if (failure) await writeFailedParts(startKernel, load, evaluated, parts, failure);
  const documents: SplitDocument[] = [];
  for (const { key, kind, name, evaluation, asmJson } of evaluated) {
    const main = asmJson ? { kind: 'asm-json', bytes: asmJson } : { kind: 'stp', bytes: parts.get(key)! };
    const derived = Object.entries(await createArtifacts(evaluation)).map(([kind, bytes]) => ({ kind, bytes }));
    documents.push({ key, kind, name, files: [main, ...derived] });
  }
  report.progress(95, 'split');
  return documents;
}

/** Packs the documents into the archive that the service accepts (core/domain/jobs/run-result.ts). */
export function packSplitResult(documents: readonly SplitDocument[]): Buffer {
  const result = {
    engine: `pdm-occt/${ENGINE_VERSION}`,
    isolation: 'limited',
    documents: documents.map(({ key, kind, name, files }) => ({
      key,
      kind,
      name,
      files: files.map((file) => file.kind),
    })),
  };
  const files = documents.flatMap(({ key, files }) =>
    files.map(({ kind, bytes }) => ({ path: `${key}/${kind}`, bytes })),
  );
  return writeArchive([{ path: 'result.json', bytes: Buffer.from(JSON.stringify(result)) }, ...files]);
}

type EvaluatedDocument = Omit<SplitDocument, 'files'> & {
  evaluation: Evaluation;
  /** Null for a part. */
  asmJson: Buffer | null;
};

// Checks the file without the kernel and returns how to load it.
function checkSource(bytes: Buffer, maxBytes: number, report: Reporter): Load {
  if (recognizeContent(bytes) === 'fcstd') {
    const source = openFcstd(bytes, maxBytes);
    return (kernel, shapes) => loadFcstd(kernel, source, shapes);
  }
  const set = openStepSet(bytes, maxBytes);
  if (set) {
    report.log(`checked: ${set.files.size} STEP files`);
    return (kernel, shapes) => loadStepSet(kernel, set, shapes);
  }
  const step = checkStep(bytes, maxBytes);
  report.log(
    `checked: ${step.file.schema ?? 'no schema'}, ${step.file.entityCount} entities, ${pluralize(step.structure.products.size, 'product')}`,
  );
  return (kernel, shapes) => loadProduct(kernel, step, shapes);
}

type Evaluated = { evaluated: EvaluatedDocument[]; parts: Map<string, Buffer>; failure: FailedPart | null };
type FailedPart = { key: string; error: JobFailure };

// Writes the parts last, because the kernel cannot be used after its writer failed.
function evaluateAll(kernel: Kernel, load: Load, report: Reporter): Evaluated {
  using shapes = new DisposableStack();
  const product = load(kernel, shapes);
  for (const { code, message } of product.warnings) report.log(`warning ${code}: ${message}`);
  report.progress(45, 'read');
  const keys = keysOf(rootOf(product.root));
  if (keys.size > MAX_DOCUMENTS)
    fail(
      'too_large',
      `the file contains ${keys.size} distinct parts and assemblies; at most ${MAX_DOCUMENTS} can be split at once`,
    );
  let done = 0;
  const evaluated = [...keys].map(([definition, key]): EvaluatedDocument => {
    const name = nameOf(definition, key);
    const quiet: Reporter = { log: (line) => report.log(`${name}: ${line}`), progress: () => undefined };
    const evaluation = evaluateProduct(kernel, definition, lostColours(definition), null, quiet);
    const asmJson = definition.shape ? null : Buffer.from(JSON.stringify(asmJsonOf(definition, keys), null, 1));
    report.progress(45 + Math.round((40 * ++done) / keys.size), name);
    return { key, kind: definition.shape ? 'model' : 'assembly', name, evaluation, asmJson };
  });
  const parts = new Map<string, Buffer>();
  const failure = writeParts(kernel, keys, parts, shapes);
  report.progress(90, 'written');
  return { evaluated, parts, failure };
}

// An asm.json has no colours.
function lostColours({ uses }: Definition): Warning[] {
  const count = uses?.filter(({ colours }) => colours?.length).length;
  if (!count) return [];
  const [have, them] =
    count === 1
      ? ['has a color of its own', 'is shown here, but not kept in the asm.json: it is']
      : ['have colors of their own', 'are shown here, but not kept in the asm.json: they are'];
  const message = `${pluralize(count, 'occurrence')} ${have}, which ${them} lost when the assembly is built again`;
  return [{ code: 'occurrence_colors', message }];
}

// A file with one part becomes an assembly of it.
function rootOf(root: Definition): Assembly {
  if (!root.shape) return root;
  return { name: root.name, shape: null, uses: [{ definition: root, name: root.name, transform: IDENTITY }] };
}

// Writes the parts that are missing in `written`. Returns the first one that the kernel cannot write.
function writeParts(
  kernel: Kernel,
  keys: ReadonlyMap<Definition, string>,
  written: Map<string, Buffer>,
  shapes: DisposableStack,
): FailedPart | null {
  for (const [part, key] of keys) {
    if (!part.shape || written.has(key)) continue;
    const result = tryWriteStep(kernel, part, TIME, shapes);
    if ('failure' in result) return { key, error: result.failure };
    written.set(key, result.bytes);
  }
  return null;
}

// Repairs a part that cannot be written and writes the others, each time with a fresh kernel.
async function writeFailedParts(
  startKernel: () => Promise<Kernel>,
  load: Load,
  evaluated: readonly EvaluatedDocument[],
  parts: Map<string, Buffer>,
  first: FailedPart,
): Promise<void> {
  for (let failed: FailedPart | null = first; failed; ) {
    const { name, evaluation } = evaluated.find(({ key }) => key === failed!.key)!;
    if (failed.error.code === 'out_of_memory') throw new JobFailure('out_of_memory', failed.error.message, name);
    const kernel = await startKernel();
    using shapes = new DisposableStack();
    const keys = keysOf(rootOf(load(kernel, shapes).root));
    const [part] = [...keys].find(([, key]) => key === failed!.key)!;
    const { bytes, warning } = withPartName(name, () => writeRepaired(kernel, part, TIME, shapes));
    evaluation.properties.warnings.push(warning);
    parts.set(failed.key, bytes);
    failed = writeParts(kernel, keys, parts, shapes);
  }
}

function keysOf(root: Assembly): Map<Definition, string> {
  const keys = new Map<Definition, string>();
  for (const definition of definitionsOf(root))
    keys.set(definition, definition === root ? ROOT : `${definition.shape ? 'part' : 'assembly'}-${keys.size}`);
  return keys;
}

// A valid document name: one line of at most 200 characters, at least one of them visible; otherwise the key.
function nameOf({ name }: Definition, key: string): string {
  const short = [...sanitizeName(name).trim()].slice(0, 200).join('');
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(short) ? short : key;
}

function asmJsonOf({ name, uses }: Assembly, keys: ReadonlyMap<Definition, string>): object {
  const uniqueIdent = createNameDeduplicator();
  const idents = new Map<Definition, string>();
  for (const { definition } of uses)
    if (!idents.has(definition)) idents.set(definition, uniqueIdent(nameOf(definition, keys.get(definition)!)));
  const templates = [...idents].map(([definition, ident]) => ({
    ident,
    type: definition.shape ? 'part' : 'assembly',
    reference: { location: `generated:${keys.get(definition)}`, type: definition.shape ? 'stp' : 'json' },
  }));
  const uniqueInstance = createNameDeduplicator();
  const instances = uses.map(({ definition, name: instance, transform }) => ({
    ident: uniqueInstance(sanitizeName(instance).trim() || idents.get(definition)!),
    template: idents.get(definition)!,
    ...(transform.every((value, i) => value === IDENTITY[i]) ? {} : { transform: formatMatrix(transform) }),
  }));
  return { version: 1, nameIfRoot: name, templates, instances, constraints: [] };
}

const formatMatrix = (m: Matrix): string => JSON.stringify([0, 4, 8, 12].map((row) => m.slice(row, row + 4)));

// Appends a number to names that are already taken.
function createNameDeduplicator(): (name: string) => string {
  const taken = new Set<string>();
  const counts = new Map<string, number>();
  return (name) => {
    let unique = name;
    while (taken.has(unique)) {
      const count = (counts.get(name) ?? 1) + 1;
      counts.set(name, count);
      unique = `${name} (${count})`;
    }
    taken.add(unique);
    return unique;
  };
}
