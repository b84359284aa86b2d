// Finds the feature edges of a triangle mesh. A GLB contains triangles only; normals show where faces meet.

/** A triangle mesh: three coordinates and a normal per vertex, three vertex indices per triangle. */
export type Triangles = { positions: ArrayLike<number>; normals: ArrayLike<number>; indices: ArrayLike<number> };

/**
 * Returns the edges where two faces meet at more than `degrees` or where a face ends, as pairs of points (six numbers
 * each). Omits edges inside a face, seams of round faces, and smooth transitions. Runs in linear time: about one
 * second for a million triangles.
 */
export function featureEdges({ positions, normals, indices }: Triangles, degrees = 12): Float32Array {
  const minCosine = Math.cos((degrees * Math.PI) / 180);
  const points = weld(positions);
  const edges = createEdgeTable(indices.length);
  for (let t = 0; t + 2 < indices.length; t += 3) {
    for (let side = 0; side < 3; side++) {
      const from = indices[t + side] as number;
      const to = indices[t + ((side + 1) % 3)] as number;
      const a = points[from] as number;
      const b = points[to] as number;
      if (a === b) continue; // a triangle without area
      const edge = a < b ? edges.findOrInsert(a, b) : edges.findOrInsert(b, a);
      const low = a < b ? from : to;
      const high = a < b ? to : from;
      if (edges.low[edge] === -1) {
        edges.low[edge] = low;
        edges.high[edge] = high;
      } else if (
        isSmooth(normals, edges.low[edge] as number, low, minCosine) &&
        isSmooth(normals, edges.high[edge] as number, high, minCosine)
      ) {
        edges.inner[edge] = 1;
      }
    }
  }
  return edges.featureLines(positions);
}

function isSmooth(normals: ArrayLike<number>, vertex: number, other: number, minCosine: number): boolean {
  if (vertex === other) return true;
  const component = (index: number, axis: number) => normals[index * 3 + axis] as number;
  const cosine =
    component(vertex, 0) * component(other, 0) +
    component(vertex, 1) * component(other, 1) +
    component(vertex, 2) * component(other, 2);
  return cosine > minCosine;
}

// Edges keyed by their two points, in an open-addressing hash table: a Map with a million keys takes seconds. By edge:
// `first` and `second` are its points; `low` and `high` the vertices at these points in the first triangle that has the
// edge (-1 if not set); `inner` is 1 if the faces on both sides meet smoothly.
function createEdgeTable(maxEdges: number) {
  const mask = 2 ** Math.ceil(Math.log2(Math.max(maxEdges, 4) * 1.5)) - 1;
  const table = new Int32Array(mask + 1).fill(-1);
  const first = new Int32Array(maxEdges);
  const second = new Int32Array(maxEdges);
  const low = new Int32Array(maxEdges).fill(-1);
  const high = new Int32Array(maxEdges);
  const inner = new Uint8Array(maxEdges);
  let count = 0;
  return {
    low,
    high,
    inner,
    findOrInsert(a: number, b: number): number {
      let slot = (Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b)) & mask;
      for (;;) {
        const found = table[slot] as number;
        if (found === -1) break;
        if (first[found] === a && second[found] === b) return found;
        slot = (slot + 1) & mask;
      }
      table[slot] = count;
      first[count] = a;
      second[count] = b;
      return count++;
    },
    featureLines(positions: ArrayLike<number>): Float32Array {
      const lines = new Float32Array((count - inner.subarray(0, count).reduce((sum, one) => sum + one, 0)) * 6);
      let at = 0;
      for (let edge = 0; edge < count; edge++) {
        if (inner[edge]) continue;
        const from = (low[edge] as number) * 3;
        const to = (high[edge] as number) * 3;
        for (let axis = 0; axis < 3; axis++) {
          lines[at + axis] = positions[from + axis] as number;
          lines[at + 3 + axis] = positions[to + axis] as number;
        }
        at += 6;
      }
      return lines;
    },
  };
}

/**
 * Returns a point number for each vertex: the index of the first vertex with the same coordinates. Faces have separate
 * vertices, but vertices on a shared edge are bitwise equal.
 */
export function weld(positions: ArrayLike<number>): Int32Array {
  const total = Math.floor(positions.length / 3);
  const mask = 2 ** Math.ceil(Math.log2(Math.max(total, 4) * 2)) - 1;
  const table = new Int32Array(mask + 1).fill(-1);
  const points = new Int32Array(total);
  const bits = new Int32Array(Float32Array.from(positions, (x) => x + 0).buffer); // + 0 turns -0 into 0
  for (let vertex = 0; vertex < total; vertex++) {
    const at = vertex * 3;
    const x = bits[at] as number;
    const y = bits[at + 1] as number;
    const z = bits[at + 2] as number;
    let slot = hashOf(x, y, z) & mask;
    for (;;) {
      const found = table[slot] as number;
      if (found === -1) {
        table[slot] = vertex;
        points[vertex] = vertex;
        break;
      }
      if (bits[found * 3] === x && bits[found * 3 + 1] === y && bits[found * 3 + 2] === z) {
        points[vertex] = found;
        break;
      }
      slot = (slot + 1) & mask;
    }
  }
  return points;
}

function hashOf(x: number, y: number, z: number): number {
  const sum = Math.imul(x, 0x9e3779b1) ^ Math.imul(y, 0x85ebca6b) ^ Math.imul(z, 0xc2b2ae35);
  return sum ^ (sum >>> 15); // the low bits of floats are often all zero
}
