// Compares the parts of two models by their places and triangles.
import type { Difference } from './product.ts';
import type { Box } from './space.ts';

/** A part as far as it is compared: `path` identifies it, `box` (mm) is its place in the model; volume in mm³, area in mm². */
export type ComparedPart = { row: number; path: string; box: Box; volume: number; area: number };
export type PartDifferences = {
  /** By row of each model. */
  from: ReadonlyMap<number, Difference>;
  to: ReadonlyMap<number, Difference>;
  counts: Readonly<Record<Difference, number>>;
};

const LENGTH_TOLERANCE = 1e-3; // mm, beyond the noise of single precision for most models
const RELATIVE_TOLERANCE = 1e-6;

/** Returns how the parts of two models differ. A part is changed if its place, size, volume or area differs. */
export function compareParts(from: readonly ComparedPart[], to: readonly ComparedPart[]): PartDifferences {
  const before = new Map(from.map((part) => [part.path, part]));
  const counts = { added: 0, removed: 0, changed: 0, same: 0 };
  const differences = { from: new Map<number, Difference>(), to: new Map<number, Difference>() };
  for (const part of to) {
    const other = before.get(part.path);
    before.delete(part.path);
    const difference = !other ? 'added' : isSame(other, part) ? 'same' : 'changed';
    counts[difference]++;
    differences.to.set(part.row, difference);
    if (other) differences.from.set(other.row, difference);
  }
  for (const { row } of before.values()) {
    counts.removed++;
    differences.from.set(row, 'removed');
  }
  return { ...differences, counts };
}

function isSame(one: ComparedPart, other: ComparedPart): boolean {
  const lengths = (part: ComparedPart) => [...part.box.min, ...part.box.max];
  const others = lengths(other);
  return (
    lengths(one).every((length, at) => isNear(length, others[at] ?? 0, LENGTH_TOLERANCE)) &&
    isNear(one.volume, other.volume, 0) &&
    isNear(one.area, other.area, 0)
  );
}

const isNear = (a: number, b: number, tolerance: number): boolean =>
  Math.abs(a - b) <= Math.max(tolerance, RELATIVE_TOLERANCE * Math.max(Math.abs(a), Math.abs(b)));
