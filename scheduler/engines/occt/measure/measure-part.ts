import type {
  MeasuredEdge,
  MeasuredFace,
  MeasuredPart,
  SurfaceGeometry,
} from '../../../../subgraphs/core/domain/measure/measure-data.ts';
import { dot, minus, type Point, plus, scale } from '../../../../subgraphs/core/domain/measure/vector.ts';
import { type Kernel, type Shape, withKernelErrors } from '../kernel.ts';
import { countSubshapes } from '../product/count-subshapes.ts';
import { facesOf, hashOf } from '../product/faces.ts';
import {
  type Area,
  type Body,
  integrateArea,
  integrateAreaTwice,
  integrateBody,
  MAX_UNCERTAINTY,
} from '../product/integrals.ts';
import { type Mesh, meshArea, meshVolume } from '../product/mesh.ts';
import { openFaces, solidsOf } from '../product/solids.ts';
import { type EdgeCurve, edgeCurve } from './edge-curve.ts';
import { areaCandidates, type BoundaryEdge } from './face-area.ts';
import { surfaceOfFace } from './surface-of-face.ts';

type Edge = { shape: Shape; value: EdgeCurve; faces: Set<number> };
type Boundary = {
  edges: (BoundaryEdge & Pick<EdgeCurve, 'length' | 'lengthError' | 'accuracy'>)[];
  isComplete: boolean;
};

/**
 * Describes the faces and edges of a part; `triangles` of the faces are missing. `body` is the volume of its solids, null
 * without a solid; `open` are the positions of the faces outside of them.
 */
export function measurePart(
  kernel: Kernel,
  shape: Shape,
  mesh: Mesh,
  chordError: number,
): Pick<MeasuredPart, 'edges'> & { faces: DescribedFace[]; body: Body | null; open: ReadonlySet<number> } {
  return withKernelErrors(kernel, 'measuring', () => {
    using edges = new EdgeList(kernel);
    const found: (Omit<DescribedFace, keyof Area> & { area: Area | null })[] = [];
    for (const face of facesOf(kernel, shape)) {
      const boundary = edges.boundaryOf(face, found.length);
      found.push(describeFace(kernel, face, boundary, trianglesOf(mesh, found.length), chordError));
      face.delete();
    }
    const hasSolid = countSubshapes(kernel, shape, 'solid') > 0;
    const open = openFaces(kernel, shape);
    using solids = open.size ? solidsOf(kernel, shape) : null;
    const meshed = () => meshVolume(mesh, [0, 0, 0], (face) => !open.has(face)).signed;
    const isFreeform = found.map(({ area }, face) => area === null && !open.has(face));
    const body = hasSolid ? integrateBody(kernel, solids ?? shape, meshed(), isFreeform.includes(true)) : null;
    const freeform = body && meshVolume(mesh, body.centre, (face) => isFreeform[face]!);
    const uncertainty = body && freeform ? body.spread / freeform.total : Infinity;
    const faces: DescribedFace[] = [];
    for (const face of facesOf(kernel, shape)) {
      const { area, ...description } = found[faces.length]!;
      const spread = open.has(faces.length) ? Infinity : uncertainty;
      const own = area ?? freeformArea(kernel, face, trianglesOf(mesh, faces.length).area, spread);
      faces.push({ ...description, ...own } as DescribedFace);
      face.delete();
    }
    return { faces, edges: edges.list(), body, open };
  });
}

type DescribedFace = Omit<MeasuredFace, 'triangles'>;

// The area is null for a face that has to be integrated.
function describeFace(
  kernel: Kernel,
  shape: Shape,
  boundary: Boundary,
  triangles: Triangles,
  chordError: number,
): Omit<DescribedFace, keyof Area> & { area: Area | null } {
  using face = kernel.TopoDS.Face(shape);
  const { geometry, ...accuracy } = surfaceOfFace(kernel, face);
  const area = areaOf(geometry, accuracy, boundary, triangles, chordError);
  return { ...orient(centered(geometry, boundary), triangles), ...accuracy, area };
}

// The adaptive integration takes several times as long as the plain one. It can be left out if both agree on the volume:
// `uncertainty` is their difference as a share of the volume between the faces and the center.
function freeformArea(kernel: Kernel, face: Shape, meshed: number, uncertainty: number): Area {
  if (!(uncertainty <= MAX_UNCERTAINTY)) return integrateAreaTwice(kernel, face, meshed);
  const area = integrateArea(kernel, face);
  return { area, areaError: uncertainty * area };
}

// The axis of a cylinder starts anywhere in the file; its point here is in the middle of the face.
function centered(geometry: SurfaceGeometry, { edges }: Boundary): SurfaceGeometry {
  if (geometry.kind !== 'cylinder') return geometry;
  const { at, direction } = geometry;
  const heights = edges.flatMap(({ curve }) => curve.corners.map((corner) => dot(minus(corner, at), direction)));
  if (!heights.length) return geometry;
  return { ...geometry, at: plus(at, direction, (Math.min(...heights) + Math.max(...heights)) / 2) };
}

// A candidate counts if it is close to the area of the triangles: the wrong ones differ by whole turns.
function areaOf(
  geometry: SurfaceGeometry,
  { residual = 0 }: { residual?: number },
  { edges, isComplete }: Boundary,
  { area: meshed, points }: Triangles,
  chordError: number,
): Area | null {
  if (!isComplete || !points.length) return null;
  const perimeter = edges.reduce((sum, { length }) => sum + length, 0);
  const allowed = MAX_MESH_ERROR * meshed + perimeter * chordError;
  const area = areaCandidates(geometry, edges, points).find((candidate) => Math.abs(candidate - meshed) <= allowed);
  if (area === undefined) return null;
  const isExact = edges.every(({ accuracy }) => accuracy === 'exact');
  const deviation = residual + Math.max(...edges.map(({ lengthError }) => lengthError));
  return { area, areaError: isExact && !residual ? 0 : deviation * perimeter };
}

const MAX_MESH_ERROR = 0.02;

type Triangles = { area: number; points: Point[]; first: { at: Point; normal: Point } | null };

function trianglesOf({ positions, normals, indices, faces }: Mesh, face: number): Triangles {
  const start = faces[face * 2] ?? 0;
  const own = indices.subarray(start, start + (faces[face * 2 + 1] ?? 0));
  const pointIn = (values: Float32Array, vertex: number): Point => [
    values[vertex * 3]!,
    values[vertex * 3 + 1]!,
    values[vertex * 3 + 2]!,
  ];
  const points = [...new Set(own)].map((vertex) => pointIn(positions, vertex));
  const [vertex] = own;
  return {
    area: meshArea({ positions, indices: own }),
    points,
    first: vertex === undefined ? null : { at: pointIn(positions, vertex), normal: pointIn(normals, vertex) },
  };
}

// The normals of the triangles point outwards: those of a plane decide its direction, those of a hole point to its axis.
function orient(geometry: SurfaceGeometry, { first }: Triangles): SurfaceGeometry & { inner?: true } {
  if (!first || geometry.kind === 'freeform') return geometry;
  if (geometry.kind === 'plane')
    return { ...geometry, direction: scale(geometry.direction, dot(first.normal, geometry.direction) < 0 ? -1 : 1) };
  return dot(first.normal, outwardOf(geometry, first.at)) < 0 ? { ...geometry, inner: true } : geometry;
}

function outwardOf(geometry: Exclude<SurfaceGeometry, { kind: 'freeform' | 'plane' }>, at: Point): Point {
  const away = minus(at, geometry.at);
  if (geometry.kind === 'sphere') return away;
  const radial = minus(away, scale(geometry.direction, dot(away, geometry.direction)));
  if (geometry.kind !== 'torus') return radial;
  return minus(away, scale(radial, geometry.radius / Math.hypot(...radial)));
}

/** The edges of a part, each once, with the faces that meet in it. Shapes are freed with the list. */
class EdgeList implements Disposable {
  readonly #kernel: Kernel;
  readonly #edges: Edge[] = [];
  readonly #byHash = new Map<number, Edge[]>();

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
  }

  /** Returns the edges of a face with their directions. It is incomplete if an edge has no curve in space. */
  boundaryOf(face: Shape, index: number): Boundary {
    const kernel = this.#kernel;
    const boundary: Boundary = { edges: [], isComplete: true };
    using explorer = new kernel.TopExp_Explorer(face, 'TopAbs_EDGE', 'TopAbs_SHAPE');
    for (; explorer.More(); explorer.Next()) {
      const shape = explorer.Current();
      const orientation = shape.Orientation();
      const edge = this.#find(shape) ?? this.#add(shape);
      if (!edge) continue;
      edge.faces.add(index);
      if (orientation === 'TopAbs_FORWARD' || orientation === 'TopAbs_REVERSED')
        boundary.edges.push({ ...edge.value, sign: orientation === 'TopAbs_FORWARD' ? 1 : -1 });
    }
    return boundary;
  }

  list(): MeasuredEdge[] {
    return this.#edges.map(({ value: { curve, geometry, ...value }, faces }) => ({
      ...geometry,
      ...value,
      faces: [...faces],
    }));
  }

  #find(shape: Shape): Edge | undefined {
    const known = this.#byHash.get(hashOf(this.#kernel, shape))?.find((edge) => edge.shape.IsSame(shape));
    if (known) shape.delete();
    return known;
  }

  // Null for an edge without length, such as the pole of a sphere.
  #add(shape: Shape): Edge | null {
    using edge = this.#kernel.TopoDS.Edge(shape);
    if (this.#kernel.BRep_Tool.Degenerated(edge)) {
      shape.delete();
      return null;
    }
    const added: Edge = { shape, value: edgeCurve(this.#kernel, edge), faces: new Set() };
    const hash = hashOf(this.#kernel, shape);
    this.#byHash.set(hash, [...(this.#byHash.get(hash) ?? []), added]);
    this.#edges.push(added);
    return added;
  }

  [Symbol.dispose](): void {
    for (const { shape } of this.#edges) shape.delete();
  }
}
