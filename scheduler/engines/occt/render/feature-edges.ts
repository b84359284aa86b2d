import type { Mesh } from '../product/mesh.ts';

/**
 * Returns the edges a technical drawing would show: where two faces meet at an angle, or a face ends. Omits seams of
 * round faces and edges where the surface continues smoothly, as at a fillet.
 */
export function featureEdges(mesh: Mesh): Float32Array {
  const { points, count } = weldPoints(mesh.positions, mesh.lines);
  const { indices, normals, lines } = mesh;
  const firstOfLines = mesh.positions.length / 3;
  const keyOf = (a: number, b: number) => (a < b ? a * count + b : b * count + a);
  const segments = new Map<number, Segment>();
  const onLine = new Uint8Array(count);
  for (let i = firstOfLines; i + 1 < points.length; i += 2) {
    const a = points[i]!;
    const b = points[i + 1]!;
    onLine[a] = onLine[b] = 1;
    segments.set(keyOf(a, b), { low: -1, high: -1, smooth: false }); // -1: no face found yet
  }
  for (let t = 0; t < indices.length; t++) {
    const from = indices[t]!;
    const to = indices[t % 3 === 2 ? t - 2 : t + 1]!;
    const a = points[from]!;
    const b = points[to]!;
    const segment = onLine[a] && onLine[b] ? segments.get(keyOf(a, b)) : undefined;
    if (!segment) continue;
    const low = a < b ? from : to;
    const high = a < b ? to : from;
    if (segment.low < 0) {
      segment.low = low;
      segment.high = high;
    } else segment.smooth = isSmooth(normals, segment.low, low) && isSmooth(normals, segment.high, high);
  }
  const edges = new Float32Array(lines.length);
  let length = 0;
  for (let i = firstOfLines, at = 0; at + 5 < lines.length; i += 2, at += 6) {
    if (segments.get(keyOf(points[i]!, points[i + 1]!))?.smooth) continue;
    for (let k = at; k < at + 6; k++) edges[length++] = lines[k]!;
  }
  return edges.subarray(0, length);
}

// Vertices of the first triangle at this edge, at the end points with the lower and the higher number.
type Segment = { low: number; high: number; smooth: boolean };

const SMOOTH_COSINE = Math.cos((12 * Math.PI) / 180);

function isSmooth(normals: Float32Array, vertex: number, other: number): boolean {
  const a = vertex * 3;
  const b = other * 3;
  const cosine = normals[a]! * normals[b]! + normals[a + 1]! * normals[b + 1]! + normals[a + 2]! * normals[b + 2]!;
  return cosine > SMOOTH_COSINE;
}

// Numbers distinct positions: faces have separate vertices, but shared edges have bitwise equal coordinates.
function weldPoints(...sources: Float32Array[]): { points: Uint32Array; count: number } {
  const total = sources.reduce((sum, source) => sum + source.length / 3, 0);
  const mask = 2 ** Math.ceil(Math.log2(Math.max(total, 4) * 2)) - 1;
  const table = new Int32Array(mask + 1).fill(-1);
  const positions = new Int32Array(total * 3);
  const points = new Uint32Array(total);
  let count = 0;
  let at = 0;
  for (const source of sources) {
    // Adding 0 turns -0 into 0.
    const bits = new Int32Array(source.map((x) => x + 0).buffer);
    for (let i = 0; i < bits.length; i += 3) {
      const x = bits[i]!;
      const y = bits[i + 1]!;
      const z = bits[i + 2]!;
      let slot = hash(x, y, z) & mask;
      let found = table[slot]!;
      while (
        found >= 0 &&
        (positions[found * 3] !== x || positions[found * 3 + 1] !== y || positions[found * 3 + 2] !== z)
      ) {
        slot = (slot + 1) & mask;
        found = table[slot]!;
      }
      if (found < 0) {
        found = count++;
        table[slot] = found;
        positions[found * 3] = x;
        positions[found * 3 + 1] = y;
        positions[found * 3 + 2] = z;
      }
      points[at++] = found;
    }
  }
  return { points, count };
}

function hash(x: number, y: number, z: number): number {
  const mixed = Math.imul(x, 0x9e3779b1) ^ Math.imul(y, 0x85ebca77) ^ Math.imul(z, 0xc2b2ae3d);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}
