import type { Mesh } from '../product/mesh.ts';
import { type MeshEdges, meshEdges } from './mesh-edges.ts';
import type { Welded } from './weld.ts';

/** Creates the mesh that is displayed: normals are smooth within 30°, and edges are where they are not. */
export function displayMesh(welded: Welded): { mesh: Mesh; edges: MeshEdges } {
  const { points, triangles, groups } = welded;
  const { unit, weighted } = triangleNormals(welded);
  const { starts, around } = trianglesAround(points.length / 3, triangles);
  const positions: number[] = [];
  const normals: number[] = [];
  const indices = new Uint32Array(triangles.length);
  // The display vertices of each point, as linked lists.
  const head = new Int32Array(points.length / 3).fill(-1);
  const next: number[] = [];
  const normal = new Float32Array(3);
  for (let i = 0; i < triangles.length; i++) {
    const point = triangles[i]!;
    const triangle = Math.floor(i / 3);
    cornerNormal({ unit, weighted, around }, triangle, starts[point]!, starts[point + 1]!, normal);
    let vertex = head[point]!;
    while (vertex >= 0 && !isEqual(normals, vertex, normal)) vertex = next[vertex]!;
    if (vertex < 0) {
      vertex = next.push(head[point]!) - 1;
      head[point] = vertex;
      for (let axis = 0; axis < 3; axis++) {
        positions.push(points[3 * point + axis]!);
        normals.push(normal[axis]!);
      }
    }
    indices[i] = vertex;
  }
  const edges = meshEdges(welded, unit);
  let start = 0;
  const faces = groups.flatMap((count) => {
    start += 3 * count;
    return [start - 3 * count, 3 * count];
  });
  const mesh = {
    positions: Float32Array.from(positions),
    normals: Float32Array.from(normals),
    indices,
    lines: edges.lines,
    faces: Uint32Array.from(faces),
    unmeshed: 0,
  };
  return { mesh, edges };
}

const SMOOTH = Math.cos((30 * Math.PI) / 180);
// Around a point with more triangles, normals are not smoothed: the work would grow with the square of their number.
const MAX_AROUND = 64;

type Normals = { unit: Float32Array; weighted: Float64Array; around: Uint32Array };

function cornerNormal(
  { unit, weighted, around }: Normals,
  triangle: number,
  start: number,
  end: number,
  normal: Float32Array,
): void {
  const [x, y, z] = [unit[3 * triangle]!, unit[3 * triangle + 1]!, unit[3 * triangle + 2]!];
  const sum = [0, 0, 0];
  for (let i = start; i < end && end - start <= MAX_AROUND; i++) {
    const other = 3 * around[i]!;
    if (x * unit[other]! + y * unit[other + 1]! + z * unit[other + 2]! < SMOOTH) continue;
    for (let axis = 0; axis < 3; axis++) sum[axis]! += weighted[other + axis]!;
  }
  const length = Math.hypot(...sum);
  if (length > 0) normal.set(sum.map((value) => value / length));
  else normal.set([x, y, z]);
}

function isEqual(normals: readonly number[], vertex: number, normal: Float32Array): boolean {
  return [0, 1, 2].every((axis) => Math.abs(normals[3 * vertex + axis]! - normal[axis]!) < 1e-5);
}

// `weighted` has the length of twice the area.
function triangleNormals({ points, triangles }: Welded): { unit: Float32Array; weighted: Float64Array } {
  const unit = new Float32Array(triangles.length);
  const weighted = new Float64Array(triangles.length);
  for (let i = 0; i < triangles.length; i += 3) {
    const [a, b, c] = [3 * triangles[i]!, 3 * triangles[i + 1]!, 3 * triangles[i + 2]!];
    const edge = (to: number, axis: number) => points[to + axis]! - points[a + axis]!;
    const x = edge(b, 1) * edge(c, 2) - edge(b, 2) * edge(c, 1);
    const y = edge(b, 2) * edge(c, 0) - edge(b, 0) * edge(c, 2);
    const z = edge(b, 0) * edge(c, 1) - edge(b, 1) * edge(c, 0);
    const length = Math.hypot(x, y, z);
    weighted.set([x, y, z], i);
    // A triangle whose corners are on one line has no direction.
    unit.set(length > 0 ? [x / length, y / length, z / length] : [0, 0, 1], i);
  }
  return { unit, weighted };
}

// `around` lists the triangles at each point, from its entry in `starts` to the next one.
function trianglesAround(count: number, triangles: Uint32Array): { starts: Uint32Array; around: Uint32Array } {
  const starts = new Uint32Array(count + 1);
  for (const point of triangles) starts[point + 1]!++;
  for (let i = 0; i < count; i++) starts[i + 1]! += starts[i]!;
  const filled = starts.slice();
  const around = new Uint32Array(triangles.length);
  for (let i = 0; i < triangles.length; i++) around[filled[triangles[i]!]!++] = Math.floor(i / 3);
  return { starts, around };
}
