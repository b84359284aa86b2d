// The lines of a mesh that an engineer would draw. The file holds triangles alone; where faces meet is told by their normals.

/** Triangles: three coordinates for each vertex, a normal for each, three vertices for each triangle. */
export type Triangles = { positions: ArrayLike<number>; normals: ArrayLike<number>; indices: ArrayLike<number> };

/**
 * The edges of a mesh where two faces meet at more than `degrees` or a face ends, as pairs of points (six figures each). Left out are the inner edges of a
 * face, seams of round faces, and edges over which the surface runs on smoothly. Linear in the triangles: a million take about a second.
 */
export function featureEdges({ positions, normals, indices }: Triangles, degrees = 12): Float32Array {
  const smooth = Math.cos((degrees * Math.PI) / 180);
  const points = weld(positions);
  const edges = edgeTable(indices.length);
  for (let t = 0; t + 2 < indices.length; t += 3) {
    for (let side = 0; side < 3; side++) {
      const from = indices[t + side] as number;
      const to = indices[t + ((side + 1) % 3)] as number;
      const a = points[from] as number;
      const b = points[to] as number;
      if (a === b) continue; // a triangle without a surface
      const edge = a < b ? edges.place(a, b) : edges.place(b, a);
      const low = a < b ? from : to;
      const high = a < b ? to : from;
      if (edges.low[edge] === -1) {
        edges.low[edge] = low;
        edges.high[edge] = high;
      } else if (
        runsOn(normals, edges.low[edge] as number, low, smooth) &&
        runsOn(normals, edges.high[edge] as number, high, smooth)
      ) {
        edges.inner[edge] = 1;
      }
    }
  }
  return edges.drawn(positions);
}

function runsOn(normals: ArrayLike<number>, vertex: number, other: number, smooth: number): boolean {
  if (vertex === other) return true;
  const at = (place: number, axis: number) => normals[place * 3 + axis] as number;
  return at(vertex, 0) * at(other, 0) + at(vertex, 1) * at(other, 1) + at(vertex, 2) * at(other, 2) > smooth;
}

// Edges by their two points, in a table with open addressing: a Map of a million keys takes seconds.
function edgeTable(most: number) {
  const mask = 2 ** Math.ceil(Math.log2(Math.max(most, 4) * 1.5)) - 1;
  const table = new Int32Array(mask + 1).fill(-1);
  const first = new Int32Array(most);
  const second = new Int32Array(most);
  const low = new Int32Array(most).fill(-1);
  const high = new Int32Array(most);
  const inner = new Uint8Array(most);
  let count = 0;
  return {
    low,
    high,
    inner,
    place(a: number, b: number): number {
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
    drawn(positions: ArrayLike<number>): Float32Array {
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

/** A number for every place: faces have vertices of their own, but those on a shared edge are equal to the last bit. It is that of the first vertex there. */
export function weld(positions: ArrayLike<number>): Int32Array {
  const total = Math.floor(positions.length / 3);
  const mask = 2 ** Math.ceil(Math.log2(Math.max(total, 4) * 2)) - 1;
  const table = new Int32Array(mask + 1).fill(-1);
  const points = new Int32Array(total);
  const bits = new Int32Array(Float32Array.from(positions, (x) => x + 0).buffer); // adding 0 makes -0 and 0 the same bits
  for (let vertex = 0; vertex < total; vertex++) {
    const at = vertex * 3;
    const x = bits[at] as number;
    const y = bits[at + 1] as number;
    const z = bits[at + 2] as number;
    let slot = mixed(x, y, z) & mask;
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

function mixed(x: number, y: number, z: number): number {
  const sum = Math.imul(x, 0x9e3779b1) ^ Math.imul(y, 0x85ebca6b) ^ Math.imul(z, 0xc2b2ae35);
  return sum ^ (sum >>> 15); // low bits of floats are often all zero
}
