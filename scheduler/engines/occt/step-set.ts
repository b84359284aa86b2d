import { posix } from 'node:path';
import { createStepFileFinder, type FindStepFile } from '../../../subgraphs/core/domain/formats/find-step-file.ts';
import { failTooLarge, unzip } from './formats/unzip.ts';
import { fail, JobFailure, withPartName } from './job-failure.ts';
import type { Kernel } from './kernel.ts';
import { sanitizeName } from './limits.ts';
import type { Stated } from './product/check-stated.ts';
import { type LoadedProduct, loadProduct } from './product/load-product.ts';
import { type Definition, placements, type Warning } from './product/product.ts';
import { type CheckedStep, checkStep, listFiles } from './read-step.ts';
import { assertProductTree } from './step/assert-product-tree.ts';
import { hasSeveralStepFiles, STEP_ENTRY } from './step/unpack-step.ts';

/** STEP files of one archive by path; `main` is the one that no other one references. */
export type StepSet = { main: string; files: ReadonlyMap<string, CheckedStep>; find: FindStepFile };

/**
 * Opens a ZIP archive with several STEP files that reference each other, and checks each without the kernel. Null for
 * other files. Throws JobFailure `too_large` if they have more than `maxBytes`, `unsupported_format` if not exactly one
 * file is referenced by no other, `cycle` or `too_deep` for their references, and those of damaged files.
 */
export function openStepSet(bytes: Buffer, maxBytes: number): StepSet | null {
  if (!hasSeveralStepFiles(bytes)) return null;
  const files = new Map<string, CheckedStep>();
  let total = 0;
  for (const [path, content] of unzip(bytes, STEP_ENTRY, maxBytes)) {
    const step = withPartName(sanitizeName(path), () => checkStep(content, maxBytes));
    // A file of the archive may be compressed itself.
    total += (step.unpacked ?? content).length;
    if (total > maxBytes) failTooLarge(maxBytes);
    files.set(path, step);
  }
  const find = createStepFileFinder(files.keys());
  const nodes = new Map([...files.keys()].map((path): [string, FileNode] => [path, { name: path, references: [] }]));
  for (const [path, { structure }] of files)
    for (const { used, externalFile } of structure.products.values()) {
      const target = nodes.get(find(path, externalFile) ?? '');
      if (target) nodes.get(path)!.references.push({ target, used });
    }
  const referenced = new Set([...nodes.values()].flatMap(({ references }) => references.map(({ target }) => target)));
  const mains = [...nodes.values()].filter((node) => !referenced.has(node));
  const [main, ...more] = mains;
  if (main === undefined) fail('cycle', 'the STEP files of the archive reference each other in a circle');
  if (more.length)
    fail(
      'unsupported_format',
      `the archive has ${mains.length} STEP files that no other one references: ${listFiles(mains.map(({ name }) => name))}; upload them as separate documents`,
    );
  assertProductTree([main], ({ references }) => references.flatMap(({ target, used }) => (used ? target : [])));
  return { main: main.name, files, find };
}

type FileNode = { name: string; references: { target: FileNode; used: boolean }[] };

/** Loads the files of an archive as one product. The shapes are disposed with `shapes`. */
export function loadStepSet(kernel: Kernel, { main, files, find }: StepSet, shapes: DisposableStack) {
  const warnings: Warning[] = [];
  const stated: Stated[] = [];
  const loaded = new Map<string, Definition>();
  let incomplete: JobFailure | null = null;

  function load(path: string): Definition {
    const known = loaded.get(path);
    if (known) return known;
    const { root, warnings: own, stated: values } = withPartName(sanitizeName(path), () => loadFile(path));
    stated.push(...values);
    const prefix = path === main ? '' : `${sanitizeName(posix.basename(path))}: `;
    warnings.push(...own.map(({ code, message }) => ({ code, message: `${prefix}${message}` })));
    loaded.set(path, root);
    return root;
  }

  // An assembly whose parts are all missing becomes an empty one.
  function loadFile(path: string): LoadedProduct {
    const step = files.get(path)!;
    try {
      return loadProduct(kernel, step, shapes, ({ externalFile }) => {
        const target = find(path, externalFile);
        return target === null ? null : load(target);
      });
    } catch (error) {
      if (!(error instanceof JobFailure && error.code === 'external_files' && path !== main)) throw error;
      incomplete = error;
      const root = { name: step.structure.roots[0]?.name ?? posix.basename(path), shape: null, uses: [] };
      return { root, warnings: [{ code: 'missing_part', message: error.message }], stated: [] };
    }
  }

  const root = load(main);
  assertProductTree<Definition>([root], (definition) => (definition.uses ?? []).map((use) => use.definition));
  if (incomplete && !placements(root).length) throw incomplete;
  const unused = [...files.keys()].filter((path) => !loaded.has(path));
  if (unused.length)
    warnings.push({ code: 'missing_part', message: `no part uses these files of the archive: ${listFiles(unused)}` });
  return { root, warnings, stated };
}
