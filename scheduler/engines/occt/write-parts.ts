import { fail, JobFailure } from './job-failure.ts';
import type { Kernel } from './kernel.ts';
import { sanitizeName } from './limits.ts';
import { type Definition, definitionsOf, type Part, type Warning } from './product/product.ts';
import { repairShape } from './product/repair-shape.ts';
import { writeStep } from './write-step.ts';

/** A definition as STEP, or the failure of the kernel's writer. */
export type Written = { bytes: Buffer } | { failure: JobFailure };

/**
 * Writes a definition as STEP. After a failure of the writer, `shapes` are not freed: the kernel may have crashed, and
 * must not be used again.
 */
export function tryWriteStep(kernel: Kernel, root: Definition, time: string, shapes: DisposableStack): Written {
  try {
    return { bytes: writeStep(kernel, root, time) };
  } catch (error) {
    if (!(error instanceof JobFailure)) throw error;
    shapes.move();
    return { failure: error };
  }
}

// A repair that changes more than this is no longer the same part.
const MAX_DEVIATION = 0.05;

/**
 * Writes a definition with repaired shapes, with a fresh kernel after the writer of another one failed. Throws the
 * JobFailure of the writer, or one that says which part cannot be repaired.
 */
export function writeRepaired(
  kernel: Kernel,
  root: Definition,
  time: string,
  shapes: DisposableStack,
): { bytes: Buffer; warning: Warning } {
  let largest = 0;
  for (const part of definitionsOf(root)) if (part.shape) largest = Math.max(largest, repairPart(kernel, part, shapes));
  const written = tryWriteStep(kernel, root, time, shapes);
  if ('failure' in written) throw written.failure;
  const change = largest < 1e-6 ? 'less than 0.0001 %' : `up to ${Number((100 * largest).toPrecision(2))} %`;
  const message = `the kernel can write the STEP file only with repaired shapes; their area and volume differ by ${change}`;
  return { bytes: written.bytes, warning: { code: 'repaired_step', message } };
}

function repairPart(kernel: Kernel, part: Part, shapes: DisposableStack): number {
  const repaired = repairShape(kernel, part.shape);
  if (!repaired || repaired.deviation > MAX_DEVIATION)
    fail('write', `the shape of ${sanitizeName(part.name)} cannot be written as STEP and not be repaired`);
  part.shape = shapes.use(repaired.shape);
  return repaired.deviation;
}
