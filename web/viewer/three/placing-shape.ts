// The shape of a component on the placing stage: its model with feature edges, and its exact faces and edges.
import { BufferAttribute, BufferGeometry, LineBasicMaterial, LineSegments, Mesh, type Object3D } from 'three';
import { type Entity, edgeEntity, faceEntity, type Rows } from '../../../subgraphs/core/domain/measure/entity.ts';
import type { MeasureData, MeasuredEdge, MeasuredFace } from '../../../subgraphs/core/domain/measure/measure-data.ts';
import { cross, minus, type Point, plus, scale } from '../../../subgraphs/core/domain/measure/vector.ts';
import { distanceFrom } from '../measure/exact-entity.ts';
import { edgeLinesOf } from './geometry.ts';
import { LAYERS, loadModel, type Model } from './load-model.ts';

/** `measure` is null without exact data. `highlights` contains the geometries of the faces and edges that were found. */
export type Shape = {
  model: Model;
  measure: MeasureData | null;
  lines: LineBasicMaterial;
  highlights: Map<MeasuredFace | MeasuredEdge, BufferGeometry>;
};

/**
 * An exact face or edge, in the coordinates of the assembly, with the geometry to highlight it in those of its mesh,
 * which belongs to the shape.
 */
export type FoundEntity = { entity: Entity; highlight: { kind: 'face' | 'edge'; geometry: BufferGeometry } };

/** Loads the shape of a component, without exact data. Throws if the GLB is invalid. */
export async function loadShape(glb: ArrayBuffer): Promise<Shape> {
  const model = await loadModel(glb);
  const lines = new LineBasicMaterial({ transparent: true, opacity: 0.75 });
  const geometries = new Map<BufferGeometry, BufferGeometry>();
  for (const { mesh } of model.hasLines ? [] : model.bodies) {
    const positions = edgeLinesOf(mesh.geometry);
    if (!positions) continue;
    const geometry =
      geometries.get(mesh.geometry) ?? new BufferGeometry().setAttribute('position', new BufferAttribute(positions, 3));
    geometries.set(mesh.geometry, geometry);
    const drawn = new LineSegments(geometry, lines);
    drawn.layers.set(LAYERS.lines);
    drawn.matrixAutoUpdate = false;
    mesh.add(drawn);
  }
  return { model, measure: null, lines, highlights: new Map() };
}

export function disposeShape({ model, lines, highlights }: Shape): void {
  for (const geometry of highlights.values()) geometry.dispose();
  lines.dispose();
  model.dispose();
}

/** Returns the meshes below an object, in the order of the bodies of its model. */
export function meshesOf(object: Object3D): Mesh[] {
  const meshes: Mesh[] = [];
  object.traverse((each) => {
    if (each instanceof Mesh) meshes.push(each);
  });
  return meshes;
}

/**
 * Returns the edge within `reach` (mm) of a point on a triangle, else the face of the triangle; null without exact data.
 * `at` is in the coordinates of the mesh, `rows` place the mesh in the assembly.
 */
export function entityNear(
  { model, measure, highlights }: Shape,
  body: number,
  { triangle, at, reach, rows }: { triangle: number; at: Point; reach: number; rows: Rows },
): FoundEntity | null {
  const found = model.bodies[body];
  const part = measure?.parts.find(({ mesh }) => mesh === found?.source.mesh);
  if (!found || !part || !measure) return null;
  const index = part.faces.findIndex(
    ({ triangles }) =>
      triangles?.[0] === found.source.primitive && triangle >= triangles[1] && triangle < triangles[1] + triangles[2],
  );
  const face = part.faces[index];
  if (!face) return null;
  const near = part.edges
    .filter(({ kind, faces }) => kind !== 'freeform' && faces.includes(index))
    .map((edge) => ({ edge, distance: distanceFrom(edge, at) }))
    .filter(({ distance }) => distance <= reach)
    .toSorted((a, b) => a.distance - b.distance)[0];
  const geometryOf = <Found extends MeasuredFace | MeasuredEdge>(of: Found, create: (of: Found) => BufferGeometry) => {
    const geometry = highlights.get(of) ?? create(of);
    highlights.set(of, geometry);
    return geometry;
  };
  if (near) {
    const { edge } = near;
    const highlight = { kind: 'edge' as const, geometry: geometryOf(edge, lineOf) };
    return { entity: edgeEntity(edge, measure.chordError, rows), highlight };
  }
  const geometry = geometryOf(face, () => faceOf(found.mesh.geometry, face));
  return { entity: faceEntity(face, measure.chordError, rows), highlight: { kind: 'face', geometry } };
}

/** Returns the triangles of a face; they share the vertices of the mesh. */
function faceOf(geometry: BufferGeometry, { triangles }: MeasuredFace): BufferGeometry {
  const face = new BufferGeometry();
  for (const [name, attribute] of Object.entries(geometry.attributes)) face.setAttribute(name, attribute);
  face.setIndex(geometry.index);
  if (triangles) face.setDrawRange(triangles[1] * 3, triangles[2] * 3);
  return face;
}

const CHORDS = 48;

/** Returns an edge as a line of points. */
function lineOf(edge: MeasuredEdge): BufferGeometry {
  const points = edge.kind === 'circle' ? arc(edge) : [edge.from, edge.to];
  return new BufferGeometry().setAttribute('position', new BufferAttribute(Float32Array.from(points.flat()), 3));
}

function arc({ at, direction, from, sweep }: Extract<MeasuredEdge, { kind: 'circle' }>): Point[] {
  const start = minus(from, at);
  const side = cross(direction, start);
  return Array.from({ length: CHORDS + 1 }, (_, step) => {
    const angle = (sweep * Math.PI * step) / 180 / CHORDS;
    return plus(plus(at, scale(start, Math.cos(angle))), scale(side, Math.sin(angle)));
  });
}
