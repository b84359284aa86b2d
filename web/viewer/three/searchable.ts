// A model made ready to be searched: trees of boxes around its bodies, and around the triangles and edges of each different one.
import { Matrix3, type Matrix4, type Mesh, Vector3 } from 'three';
import { type BoxTree, boxTree } from '../measure/box-tree.ts';
import { type Edges, edgesOf, pointIn } from '../measure/snap.ts';
import { type FaceVertex, verticesOfFace } from '../measure/surface.ts';
import { unit } from '../measure/vector.ts';
import { inDesign, type Point, pointInMm } from '../space.ts';
import type { Model } from './load-model.ts';
import { figuresOf, linesOf } from './mesh.ts';

type Shape = { figures: ReturnType<typeof figuresOf>; triangles: BoxTree; edges: Edges; edgeTree: BoxTree };
/** `inwards` from the model's space to its own; lengths become up to `scale` times as long; a mirrored one has its inside out. */
export type Body = { mesh: Mesh; shape: Shape; outwards: Matrix4; inwards: Matrix4; scale: number; mirrored: boolean };

const AT_ONCE = 10_000;

/** Makes a model ready to be searched; stops every few milliseconds, like the trees it makes. Bodies are counted as in the model. */
export function* searchable(model: Model): Generator<void, { bodies: readonly Body[]; tree: BoxTree }> {
  const shapes = new Map<Mesh['geometry'], Shape>();
  const bodies: Body[] = [];
  for (const { mesh } of model.bodies) {
    const shape = shapes.get(mesh.geometry) ?? (yield* shapeOf(mesh));
    shapes.set(mesh.geometry, shape);
    bodies.push(bodyOf(mesh, shape));
  }
  return { bodies, tree: yield* boxTree(boxesAround(bodies)) };
}

function* shapeOf({ geometry }: Mesh): Generator<void, Shape> {
  const figures = figuresOf(geometry);
  const { positions, indices } = figures;
  const triangles = yield* boxTree(
    yield* boxesOf(
      Math.floor(indices.length / 3),
      3,
      positions,
      (triangle, corner) => (indices[triangle * 3 + corner] as number) * 3,
    ),
  );
  const edges = edgesOf(linesOf(geometry) ?? new Float32Array());
  yield;
  const edgeTree = yield* boxTree(
    yield* boxesOf(edges.middles.length, 2, edges.lines, (edge, end) => edge * 6 + end * 3),
  );
  return { figures, triangles, edges, edgeTree };
}

/** The boxes around things of so many corners each, which lie at a place of a list of figures. */
function* boxesOf(
  total: number,
  corners: number,
  figures: Float32Array,
  cornerOf: (thing: number, corner: number) => number,
): Generator<void, Float32Array> {
  const boxes = new Float32Array(total * 6);
  for (let thing = 0; thing < total; thing++) {
    boxes.fill(Infinity, thing * 6, thing * 6 + 3).fill(-Infinity, thing * 6 + 3, thing * 6 + 6);
    for (let corner = 0; corner < corners; corner++) {
      const at = cornerOf(thing, corner);
      for (let axis = 0; axis < 3; axis++) {
        const figure = figures[at + axis] as number;
        if (figure < (boxes[thing * 6 + axis] as number)) boxes[thing * 6 + axis] = figure;
        if (figure > (boxes[thing * 6 + 3 + axis] as number)) boxes[thing * 6 + 3 + axis] = figure;
      }
    }
    if (thing % AT_ONCE === 0) yield;
  }
  return boxes;
}

// a little larger than they are: single precision may round a corner inwards
function boxesAround(bodies: readonly Body[]): Float32Array {
  const boxes = new Float32Array(bodies.length * 6);
  for (const [
    at,
    {
      mesh: { geometry, matrixWorld },
    },
  ] of bodies.entries()) {
    if (!geometry.boundingBox) geometry.computeBoundingBox();
    const box = geometry.boundingBox?.clone().applyMatrix4(matrixWorld);
    if (!box || box.isEmpty()) boxes.fill(Number.MAX_VALUE, at * 6, at * 6 + 6);
    else
      boxes.set(
        [
          ...box.expandByScalar(Math.max(box.min.length(), box.max.length()) * 1e-6).min.toArray(),
          ...box.max.toArray(),
        ],
        at * 6,
      );
  }
  return boxes;
}

function bodyOf(mesh: Mesh, shape: Shape): Body {
  const { matrixWorld } = mesh;
  const inwards = matrixWorld.clone().invert();
  return {
    mesh,
    shape,
    outwards: matrixWorld,
    inwards,
    scale: inwards.getMaxScaleOnAxis(),
    mirrored: matrixWorld.determinant() < 0,
  };
}

/** The vertices of the face around a triangle, in mm; none where the file has no normals. */
export function faceOf({ shape, outwards }: Body, triangle: number): FaceVertex[] {
  const { positions, normals, indices } = shape.figures;
  if (!normals) return [];
  const turned = new Matrix3().getNormalMatrix(outwards);
  return verticesOfFace(indices, positions.length / 3, triangle).map((vertex) => ({
    at: pointInMm(transformed(pointIn(positions, vertex * 3), outwards)),
    normal: unit(inDesign(new Vector3(...pointIn(normals, vertex * 3)).applyMatrix3(turned).toArray())),
  }));
}

export const transformed = (point: Point, matrix: Matrix4): Point =>
  new Vector3(...point).applyMatrix4(matrix).toArray();
