import type { Mesh } from '../tessellate.ts';

/**
 * The edges of a mesh an engineer would draw: those where two faces meet at an angle or a face ends. Left out are seams of round faces and edges over
 * which the surface runs on smoothly, as at a fillet.
 */
export function featureEdges(mesh: Mesh): Float32Array {
  const { points, count } = weldPoints(mesh.positions, mesh.lines);
  const segments = new Map<number, Segment>();
  const onLine = new Uint8Array(count);
  const start = mesh.positions.length / 3;
  for (let i = start; i + 1 < points.length; i += 2) {
    const [a, b] = [points[i]!, points[i + 1]!];
    onLine[a] = onLine[b] = 1;
    segments.set(a < b ? a * count + b : b * count + a, { from: -1, to: -1, smooth: false });
  }
  const { indices, normals } = mesh;
  for (let t = 0; t < indices.length; t++) {
    const from = indices[t]!;
    const to = indices[t % 3 === 2 ? t - 2 : t + 1]!;
    const a = points[from]!;
    const b = points[to]!;
    if (!onLine[a] || !onLine[b]) continue;
    const segment = segments.get(a < b ? a * count + b : b * count + a);
    if (!segment) continue;
    const [low, high] = a < b ? [from, to] : [to, from];
    if (segment.from < 0) Object.assign(segment, { from: low, to: high });
    else segment.smooth = runsOn(normals, segment.from, low) && runsOn(normals, segment.to, high);
  }
  return mesh.lines.filter((_, i) => {
    const at = start + 2 * Math.floor(i / 6);
    const [a, b] = [points[at]!, points[at + 1]!];
    return !segments.get(a < b ? a * count + b : b * count + a)?.smooth;
  });
}

// The vertices of the first triangle at this edge, by the lower and the higher point.
type Segment = { from: number; to: number; smooth: boolean };

const SMOOTH = Math.cos((12 * Math.PI) / 180);

function runsOn(normals: Float32Array, vertex: number, other: number): boolean {
  const [a, b] = [vertex * 3, other * 3];
  return normals[a]! * normals[b]! + normals[a + 1]! * normals[b + 1]! + normals[a + 2]! * normals[b + 2]! > SMOOTH;
}

// A number for every place: faces have vertices of their own, but those on a shared edge are equal to the last bit. Open addressing over the bits.
function weldPoints(...sources: Float32Array[]): { points: Uint32Array; count: number } {
  const total = sources.reduce((sum, source) => sum + source.length / 3, 0);
  const mask = 2 ** Math.ceil(Math.log2(Math.max(total, 4) * 2)) - 1;
  const table = new Int32Array(mask + 1).fill(-1);
  const places = new Int32Array(total * 3);
  const points = new Uint32Array(total);
  let count = 0;
  let at = 0;
  for (const source of sources) {
    const bits = new Int32Array(source.map((x) => x + 0).buffer);
    for (let i = 0; i < bits.length; i += 3) {
      const [x, y, z] = [bits[i]!, bits[i + 1]!, bits[i + 2]!];
      let slot = hash(x, y, z) & mask;
      let found = table[slot]!;
      while (found >= 0 && (places[found * 3] !== x || places[found * 3 + 1] !== y || places[found * 3 + 2] !== z)) {
        slot = (slot + 1) & mask;
        found = table[slot]!;
      }
      if (found < 0) {
        found = count++;
        table[slot] = found;
        places.set([x, y, z], found * 3);
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
