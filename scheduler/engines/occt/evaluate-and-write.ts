import type { Evaluation } from './derived-artifacts.ts';
import { JobFailure } from './job-failure.ts';
import type { Kernel } from './kernel.ts';
import type { Stated } from './product/check-stated.ts';
import type { Definition, Warning } from './product/product.ts';
import { tryWriteStep, type Written, writeRepaired } from './write-parts.ts';

/** Loads the product of a file, and what the file states about it. The shapes are disposed with `shapes`. */
export type Load = (
  kernel: Kernel,
  shapes: DisposableStack,
) => { root: Definition; warnings: Warning[]; stated?: readonly Stated[] };

/**
 * Evaluates a product that is not a STEP file, and writes it as one. The writer runs last, so that its failure loses
 * nothing else; it is then repeated with a fresh kernel and repaired shapes. A STEP file that is repaired or missing is
 * reported as a warning.
 */
export async function evaluateAndWrite(
  startKernel: () => Promise<Kernel>,
  kernel: Kernel,
  load: Load,
  evaluate: (kernel: Kernel, loaded: ReturnType<Load>) => Evaluation,
  time: string,
): Promise<{ evaluation: Evaluation; stp?: Buffer }> {
  const { evaluation, written } = evaluateOnce(kernel, load, evaluate, time);
  if ('bytes' in written) return { evaluation, stp: written.bytes };
  const { warnings } = evaluation.properties;
  try {
    if (written.failure.code === 'out_of_memory') throw written.failure;
    const { bytes, warning } = writeAgain(await startKernel(), load, time);
    warnings.push(warning);
    return { evaluation, stp: bytes };
  } catch (error) {
    if (!(error instanceof JobFailure)) throw error;
    const message = `there is no STEP file for assemblies and exports: ${error.message}`;
    warnings.push({ code: 'no_step', message });
    return { evaluation };
  }
}

function evaluateOnce(
  kernel: Kernel,
  load: Load,
  evaluate: (kernel: Kernel, loaded: ReturnType<Load>) => Evaluation,
  time: string,
): { evaluation: Evaluation; written: Written } {
  using shapes = new DisposableStack();
  const loaded = load(kernel, shapes);
  const evaluation = evaluate(kernel, loaded);
  return { evaluation, written: tryWriteStep(kernel, loaded.root, time, shapes) };
}

function writeAgain(kernel: Kernel, load: Load, time: string) {
  using shapes = new DisposableStack();
  return writeRepaired(kernel, load(kernel, shapes).root, time, shapes);
}
