import { JobFailure } from './job-failure.ts';
import type { Kernel } from './kernel.ts';
import { sanitizeName } from './limits.ts';
import { matchFaces } from './match-faces.ts';
import { type Definition, definitionsOf, type Part, type Warning } from './product/product.ts';
import { type RepairedShape, repairShape } from './product/repair-shape.ts';
import { listFiles } from './read-step.ts';
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
 * Writes a definition with repaired shapes, with a fresh kernel after the writer of another one failed. A part that
 * cannot be repaired keeps its shape. Throws a JobFailure that names these parts, or that of the writer.
 */
export function writeRepaired(
  kernel: Kernel,
  root: Definition,
  time: string,
  shapes: DisposableStack,
): { bytes: Buffer; warning: Warning } {
  let largest = 0;
  const unrepaired: string[] = [];
  for (const part of definitionsOf(root)) {
    if (!part.shape) continue;
    const repaired = repairPart(kernel, part, shapes);
    if (repaired) largest = Math.max(largest, repaired.deviation);
    else unrepaired.push(sanitizeName(part.name));
  }
  const written = tryWriteStep(kernel, root, time, shapes);
  if ('failure' in written) {
    if (!unrepaired.length) throw written.failure;
    const { code, message } = written.failure;
    throw new JobFailure(code, `${message}; these parts cannot be repaired: ${listFiles(unrepaired)}`);
  }
  const change = largest < 1e-6 ? 'less than 0.0001 %' : `up to ${Number((100 * largest).toPrecision(2))} %`;
  const message = `the kernel can write the STEP file only with repaired shapes; their area and volume differ by ${change}`;
  return { bytes: written.bytes, warning: { code: 'repaired_step', message } };
}

// Returns null, and leaves the part as it is, if a repair would change it too much.
function repairPart(kernel: Kernel, part: Part, shapes: DisposableStack): RepairedShape | null {
  const repaired = repairShape(kernel, part.shape);
  if (!repaired) return null;
  shapes.use(repaired.shape);
  if (repaired.deviation > MAX_DEVIATION) return null;
  const { faceColours } = part;
  if (faceColours)
    part.faceColours = matchFaces(kernel, part.shape, repaired.shape).map((index) => faceColours[index] ?? null);
  part.shape = repaired.shape;
  return repaired;
}
