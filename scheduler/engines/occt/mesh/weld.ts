import type { Triangles } from './triangles.ts';

/**
 * A mesh whose vertices are distinct points. Triangles without an area are removed; `groups` has the number of
 * remaining triangles of each group.
 */
export type Welded = { points: Float64Array; triangles: Uint32Array; groups: number[] };

// Vertices closer than this fraction of the size are one point.
const CELL = 1e-6;

/** Joins vertices at the same position. */
export function weld({ positions, indices, groups }: Triangles): Welded {
  const { min, size } = extentOf(positions);
  const cell = size * CELL || 1;
  const count = positions.length / 3;
  const mask = 2 ** Math.ceil(Math.log2(Math.max(count, 4) * 2)) - 1;
  const table = new Int32Array(mask + 1).fill(-1);
  const cells = new Int32Array(positions.length);
  const points = new Float64Array(positions.length);
  const numbers = new Uint32Array(count);
  let distinct = 0;
  for (let i = 0; i < count; i++) {
    const [x, y, z] = [0, 1, 2].map((axis) => Math.round((positions[3 * i + axis]! - min[axis]!) / cell));
    let slot = (Math.imul(x!, 73856093) ^ Math.imul(y!, 19349663) ^ Math.imul(z!, 83492791)) & mask;
    for (;;) {
      const known = table[slot]!;
      if (known < 0) {
        table[slot] = distinct;
        cells.set([x!, y!, z!], 3 * distinct);
        points.set(positions.subarray(3 * i, 3 * i + 3), 3 * distinct);
        numbers[i] = distinct++;
        break;
      }
      if (cells[3 * known] === x && cells[3 * known + 1] === y && cells[3 * known + 2] === z) {
        numbers[i] = known;
        break;
      }
      slot = (slot + 1) & mask;
    }
  }
  const triangles = new Uint32Array(indices.length);
  let length = 0;
  let at = 0;
  const kept = groups.map((group) => {
    const before = length;
    for (const end = at + 3 * group.triangles; at < end; at += 3) {
      const [a, b, c] = [numbers[indices[at]!]!, numbers[indices[at + 1]!]!, numbers[indices[at + 2]!]!];
      if (a === b || b === c || c === a) continue;
      triangles.set([a, b, c], length);
      length += 3;
    }
    return (length - before) / 3;
  });
  return { points: points.slice(0, 3 * distinct), triangles: triangles.slice(0, length), groups: kept };
}

function extentOf(positions: Float64Array): { min: number[]; size: number } {
  const min = [Infinity, Infinity, Infinity];
  const max = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; i++) {
    min[i % 3] = Math.min(min[i % 3]!, positions[i]!);
    max[i % 3] = Math.max(max[i % 3]!, positions[i]!);
  }
  return { min, size: Math.max(...max.map((value, axis) => value - min[axis]!)) };
}
