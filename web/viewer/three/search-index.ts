// The search index of a model: bounding volume hierarchies of its bodies, and of the triangles and edges of each.
import { Matrix3, type Matrix4, type Mesh, Vector3 } from 'three';
import { unit } from '../../../subgraphs/core/domain/measure/vector.ts';
import { type BoxTree, buildBoxTree } from '../measure/box-tree.ts';
import { type Edges, edgesOf, pointIn } from '../measure/snap.ts';
import { type FaceVertex, verticesOfFace } from '../measure/surface.ts';
import { type Point, pointInMm, toDesignDirection } from '../space.ts';
import { edgeLinesOf, readTriangles } from './geometry.ts';
import type { Model } from './load-model.ts';

type Shape = { triangles: ReturnType<typeof readTriangles>; triangleTree: BoxTree; edges: Edges; edgeTree: BoxTree };
/** A body in the index. `scale` is the largest factor from model to local lengths; mirrored bodies face inside out. */
export type Body = { mesh: Mesh; shape: Shape; toModel: Matrix4; toLocal: Matrix4; scale: number; mirrored: boolean };

const YIELD_EVERY = 10_000;

/** Builds the index; yields every few milliseconds. Bodies have the same order as in the model. */
export function* buildSearchIndex(model: Model): Generator<void, { bodies: readonly Body[]; tree: BoxTree }> {
  const shapes = new Map<Mesh['geometry'], Shape>();
  const bodies: Body[] = [];
  for (const { mesh } of model.bodies) {
    const shape = shapes.get(mesh.geometry) ?? (yield* shapeOf(mesh));
    shapes.set(mesh.geometry, shape);
    bodies.push(bodyOf(mesh, shape));
  }
  return { bodies, tree: yield* buildBoxTree(bodyBoxes(bodies)) };
}

function* shapeOf({ geometry }: Mesh): Generator<void, Shape> {
  const triangles = readTriangles(geometry);
  const { positions, indices } = triangles;
  const triangleTree = yield* buildBoxTree(
    yield* boxesOf(
      Math.floor(indices.length / 3),
      3,
      positions,
      (triangle, corner) => (indices[triangle * 3 + corner] as number) * 3,
    ),
  );
  const edges = edgesOf(edgeLinesOf(geometry) ?? new Float32Array());
  yield;
  const edgeTree = yield* buildBoxTree(
    yield* boxesOf(edges.middles.length, 2, edges.lines, (edge, end) => edge * 6 + end * 3),
  );
  return { triangles, triangleTree, edges, edgeTree };
}

/** The boxes of items with `corners` corners each; `cornerOf` returns the offset of a corner in `coordinates`. */
function* boxesOf(
  total: number,
  corners: number,
  coordinates: Float32Array,
  cornerOf: (item: number, corner: number) => number,
): Generator<void, Float32Array> {
  const boxes = new Float32Array(total * 6);
  for (let item = 0; item < total; item++) {
    boxes.fill(Infinity, item * 6, item * 6 + 3).fill(-Infinity, item * 6 + 3, item * 6 + 6);
    for (let corner = 0; corner < corners; corner++) {
      const at = cornerOf(item, corner);
      for (let axis = 0; axis < 3; axis++) {
        const value = coordinates[at + axis] as number;
        if (value < (boxes[item * 6 + axis] as number)) boxes[item * 6 + axis] = value;
        if (value > (boxes[item * 6 + 3 + axis] as number)) boxes[item * 6 + 3 + axis] = value;
      }
    }
    if (item % YIELD_EVERY === 0) yield;
  }
  return boxes;
}

// slightly enlarged, because single precision can round a corner inwards
function bodyBoxes(bodies: readonly Body[]): Float32Array {
  const boxes = new Float32Array(bodies.length * 6);
  for (const [at, { mesh }] of bodies.entries()) {
    const { geometry, matrixWorld } = mesh;
    if (!geometry.boundingBox) geometry.computeBoundingBox();
    const box = geometry.boundingBox?.clone().applyMatrix4(matrixWorld);
    if (!box || box.isEmpty()) {
      boxes.fill(Number.MAX_VALUE, at * 6, at * 6 + 6);
      continue;
    }
    box.expandByScalar(Math.max(box.min.length(), box.max.length()) * 1e-6);
    boxes.set([...box.min.toArray(), ...box.max.toArray()], at * 6);
  }
  return boxes;
}

function bodyOf(mesh: Mesh, shape: Shape): Body {
  const { matrixWorld } = mesh;
  const toLocal = matrixWorld.clone().invert();
  return {
    mesh,
    shape,
    toModel: matrixWorld,
    toLocal,
    scale: toLocal.getMaxScaleOnAxis(),
    mirrored: matrixWorld.determinant() < 0,
  };
}

/** Returns the vertices of the face that contains a triangle, in mm; empty if the file has no normals. */
export function faceVertices({ shape, toModel }: Body, triangle: number): FaceVertex[] {
  const { positions, normals, indices } = shape.triangles;
  if (!normals) return [];
  const normalMatrix = new Matrix3().getNormalMatrix(toModel);
  return verticesOfFace(indices, positions.length / 3, triangle).map((vertex) => ({
    at: pointInMm(transformPoint(pointIn(positions, vertex * 3), toModel)),
    normal: unit(toDesignDirection(new Vector3(...pointIn(normals, vertex * 3)).applyMatrix3(normalMatrix).toArray())),
  }));
}

export const transformPoint = (point: Point, matrix: Matrix4): Point =>
  new Vector3(...point).applyMatrix4(matrix).toArray();
