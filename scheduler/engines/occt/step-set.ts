import { posix } from 'node:path';
import { unzip } from './formats/unzip.ts';
import { fail } from './job-failure.ts';
import type { Kernel } from './kernel.ts';
import { sanitizeName } from './limits.ts';
import { loadProduct } from './product/load-product.ts';
import type { Definition, Warning } from './product/product.ts';
import { type CheckedStep, checkStep, listFiles } from './read-step.ts';
import { assertProductTree } from './step/assert-product-tree.ts';
import { hasSeveralStepFiles, STEP_ENTRY } from './step/unpack-step.ts';

/** STEP files of one archive by path; `main` is the one that no other one references. */
export type StepSet = { main: string; files: ReadonlyMap<string, CheckedStep> };

/**
 * Opens a ZIP archive with several STEP files that reference each other, and checks each without the kernel. Null for
 * other files. Throws JobFailure `too_large` if they have more than `maxBytes`, `unsupported_format` if not exactly one
 * file is referenced by no other, and those of damaged files.
 */
export function openStepSet(bytes: Buffer, maxBytes: number): StepSet | null {
  if (!hasSeveralStepFiles(bytes)) return null;
  const files = new Map(
    [...unzip(bytes, STEP_ENTRY, maxBytes)].map(([path, content]) => [
      path,
      checkStep(Buffer.from(content.buffer, content.byteOffset, content.length), maxBytes),
    ]),
  );
  const referenced = new Set(
    [...files].flatMap(([path, { structure }]) =>
      [...structure.products.values()].map(({ externalFile }) => findFile(files, path, externalFile)),
    ),
  );
  const mains = [...files.keys()].filter((path) => !referenced.has(path));
  const [main, ...more] = mains;
  if (main === undefined) fail('cycle', 'the STEP files of the archive reference each other in a circle');
  if (more.length)
    fail(
      'unsupported_format',
      `the archive has ${mains.length} STEP files that no other one references: ${listFiles(mains)}; upload them as separate documents`,
    );
  return { main, files };
}

/** Loads the files of an archive as one product. The shapes are disposed with `shapes`. */
export function loadStepSet(kernel: Kernel, { main, files }: StepSet, shapes: DisposableStack) {
  const warnings: Warning[] = [];
  const loaded = new Map<string, Definition | 'loading'>();

  function load(path: string): Definition {
    const known = loaded.get(path);
    if (known === 'loading') fail('cycle', `assembly contains itself: ${sanitizeName(path)}`);
    if (known) return known;
    loaded.set(path, 'loading');
    const product = loadProduct(kernel, files.get(path)!, shapes, ({ externalFile }) => {
      const target = findFile(files, path, externalFile);
      return target === null ? null : load(target);
    });
    const prefix = path === main ? '' : `${sanitizeName(posix.basename(path))}: `;
    warnings.push(...product.warnings.map(({ code, message }) => ({ code, message: `${prefix}${message}` })));
    loaded.set(path, product.root);
    return product.root;
  }

  const root = load(main);
  const unused = [...files.keys()].filter((path) => !loaded.has(path));
  if (unused.length)
    warnings.push({ code: 'missing_part', message: `no part uses these files of the archive: ${listFiles(unused)}` });
  assertProductTree<Definition>([root], (definition) => (definition.uses ?? []).map((use) => use.definition));
  return { root, warnings };
}

// Systems write paths of their own machine: a path in the archive is preferred, otherwise the file name decides.
function findFile(files: ReadonlyMap<string, unknown>, from: string, candidates: readonly string[]): string | null {
  const paths = [...files.keys()].filter((path) => path !== from);
  for (const candidate of candidates) {
    const name = candidate.replaceAll('\\', '/').toLowerCase();
    const relative = posix.join(posix.dirname(from), name).toLowerCase();
    const exact = paths.find((path) => path.toLowerCase() === relative);
    if (exact !== undefined) return exact;
    const same = paths.filter((path) => {
      const base = posix.basename(path.toLowerCase());
      return base === posix.basename(name) || base.replace(/\.[^.]*$/, '') === posix.basename(name);
    });
    if (same.length === 1) return same[0]!;
  }
  return null;
}
