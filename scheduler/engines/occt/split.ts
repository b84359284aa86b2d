import { writeArchive } from '../../../subgraphs/core/domain/code-archive.ts';
import { counted } from '../../../subgraphs/core/domain/counted.ts';
import { finish, type Sketch, sketch } from './derive.ts';
import { ENGINE_VERSION } from './engine-version.ts';
import type { Kernel } from './kernel.ts';
import { shortName } from './limits.ts';
import { loadProduct } from './load-product.ts';
import { IDENTITY, type Matrix } from './matrix.ts';
import { type Assembly, type Definition, definitionsOf } from './product.ts';
import { checkStep } from './read-step.ts';
import { refuse } from './refusal.ts';
import type { Report } from './report.ts';
import { writeStep } from './write-step.ts';

/** A distinct part or assembly of a file, with everything that is made of it. */
export type SplitDocument = {
  key: string;
  kind: 'model' | 'assembly';
  name: string;
  files: { kind: string; bytes: Uint8Array }[];
};

/** The assembly that the whole file is. */
const ROOT = 'root';

// The same part gives the same bytes, from whichever file it comes: no clock enters.
const TIME = '1970-01-01T00:00:00.000Z';
// As many as one transaction creates in good time.
const MOST = 500;

/**
 * Takes a STEP file apart: a document for each distinct part and each assembly in it, of which `root` is the whole. A part comes as a STEP file of its own, an assembly as an
 * asm.json that names its siblings as `generated:<key>`; both with what is shown of them.
 */
export async function split(
  bytes: Buffer,
  startKernel: () => Promise<Kernel>,
  maxBytes: number,
  report: Report,
): Promise<SplitDocument[]> {
  const step = checkStep(bytes, maxBytes);
  report.log(
    `checked: ${step.file.schema ?? 'no schema'}, ${step.file.entityCount} entities, ${counted(step.structure.products.size, 'product')}`,
  );
  const kernel = await startKernel();
  report.progress(5, 'kernel');
  // nothing of the kernel may outlive an await: first all sketches, then what needs no kernel
  const sketches = sketchAll(kernel, step, report);
  const documents: SplitDocument[] = [];
  for (const { sketch, main, ...document } of sketches) {
    const { glb, properties, thumbnail } = await finish(sketch);
    const shown = Object.entries({ glb, properties, thumbnail }).map(([kind, made]) => ({ kind, bytes: made }));
    documents.push({ ...document, files: [main, ...shown] });
  }
  report.progress(95, 'taken apart');
  return documents;
}

/** What was taken apart as one archive, as the service takes it (core/domain/run-result.ts). */
export function archiveOf(documents: readonly SplitDocument[]): Buffer {
  const result = {
    ...{ engine: `pdm-occt/${ENGINE_VERSION}`, isolation: 'limited' },
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

type Sketched = Omit<SplitDocument, 'files'> & { sketch: Sketch; main: SplitDocument['files'][number] };

function sketchAll(kernel: Kernel, step: ReturnType<typeof checkStep>, report: Report): Sketched[] {
  using shapes = new DisposableStack();
  const product = loadProduct(kernel, step, shapes);
  for (const { code, message } of product.warnings) report.log(`warning ${code}: ${message}`);
  report.progress(20, 'read');
  const root: Assembly = product.root.shape
    ? {
        name: product.root.name,
        shape: null,
        uses: [{ of: product.root, name: product.root.name, transform: IDENTITY }],
      }
    : product.root;
  const keys = keysOf(root);
  if (keys.size > MOST)
    refuse(
      'too_large',
      `the file holds ${keys.size} distinct parts and assemblies; up to ${MOST} are taken apart in one go`,
    );
  let done = 0;
  return [...keys].map(([definition, key]) => {
    const name = nameOf(definition, key);
    const quiet: Report = { log: (line) => report.log(`${name}: ${line}`), progress: () => undefined };
    const made = sketch(kernel, definition, [], null, quiet);
    const main = definition.shape
      ? { kind: 'stp', bytes: writeStep(kernel, definition, TIME) }
      : { kind: 'asm-json', bytes: Buffer.from(JSON.stringify(asmJsonOf(definition, keys), null, 1)) };
    report.progress(20 + Math.round((70 * ++done) / keys.size), name);
    return { key, kind: definition.shape ? 'model' : 'assembly', name, sketch: made, main };
  });
}

function keysOf(root: Assembly): Map<Definition, string> {
  const keys = new Map<Definition, string>();
  for (const definition of definitionsOf(root))
    keys.set(definition, definition === root ? ROOT : `${definition.shape ? 'part' : 'assembly'}-${keys.size}`);
  return keys;
}

// A name that a document can have: one line, with something to be seen. A cut name ends with an ellipsis; it is left out where it would be one character too much.
function nameOf({ name }: Definition, key: string): string {
  const short = [...shortName(name).trim()].slice(0, 200).join('');
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(short) ? short : key;
}

function asmJsonOf({ name, uses }: Assembly, keys: ReadonlyMap<Definition, string>): object {
  const unique = uniqueNames();
  const idents = new Map<Definition, string>();
  for (const { of } of uses) if (!idents.has(of)) idents.set(of, unique(nameOf(of, keys.get(of)!)));
  const templates = [...idents].map(([of, ident]) => ({
    ...{ ident, type: of.shape ? 'part' : 'assembly' },
    reference: { location: `generated:${keys.get(of)}`, type: of.shape ? 'stp' : 'json' },
  }));
  const named = uniqueNames();
  const instances = uses.map(({ of, name: instance, transform }) => ({
    ...{ ident: named(shortName(instance).trim() || idents.get(of)!), template: idents.get(of)! },
    ...(transform.every((value, i) => value === IDENTITY[i]) ? {} : { transform: written(transform) }),
  }));
  return { version: 1, nameIfRoot: name, templates, instances, constraints: [] };
}

const written = (m: Matrix): string => JSON.stringify([0, 4, 8, 12].map((row) => m.slice(row, row + 4)));

// Names as they come; one that is taken gets a number.
function uniqueNames(): (name: string) => string {
  const taken = new Set<string>();
  const next = new Map<string, number>();
  return (name) => {
    let found = name;
    while (taken.has(found)) {
      const count = (next.get(name) ?? 1) + 1;
      next.set(name, count);
      found = `${name} (${count})`;
    }
    taken.add(found);
    return found;
  };
}
