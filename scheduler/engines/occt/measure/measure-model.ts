import type {
  MeasureData,
  MeasuredFace,
  MeasuredPart,
} from '../../../../subgraphs/core/domain/measure/measure-data.ts';
import type { Point } from '../../../../subgraphs/core/domain/measure/vector.ts';
import type { Kernel } from '../kernel.ts';
import { sanitizeName } from '../limits.ts';
import { countSubshapes } from '../product/count-subshapes.ts';
import type { IntegratedPart } from '../product/measure-shape.ts';
import type { Mesh } from '../product/mesh.ts';
import type { Surface } from '../product/palette.ts';
import type { Part, Placement } from '../product/product.ts';
import { measurePart } from './measure-part.ts';

/** Models with more faces have no measuring data: the file would be larger than a client can use. */
export const MAX_MEASURED_FACES = 30_000;

type Model = {
  placed: readonly Placement[];
  meshes: ReadonlyMap<Part, Mesh>;
  surfaces: ReadonlyMap<Part, Surface[]>;
  tolerance: number;
};

/**
 * Describes every face and edge of a model, for each part once; `data` is null if it has too many faces. Calls
 * `partMeasured` after each part.
 */
export function measureModel(
  kernel: Kernel,
  { placed, meshes, surfaces, tolerance }: Model,
  partMeasured: () => void,
): { data: MeasureData | null; integrated: Map<Part, IntegratedPart> } {
  const parts = [...meshes.keys()];
  const faceCount = parts.reduce((sum, { shape }) => sum + countSubshapes(kernel, shape, 'face'), 0);
  const isDescribed = faceCount <= MAX_MEASURED_FACES;
  let written = 0;
  const integrated = new Map<Part, IntegratedPart>();
  const described: MeasuredPart[] = [];
  for (const part of parts) {
    const mesh = meshes.get(part)!;
    const own = surfaces.get(part)!;
    const { faces, edges, body, open } = measurePart(kernel, part.shape, mesh, tolerance);
    integrated.set(part, { areas: faces.map(({ area, areaError }) => ({ area, areaError })), body, open });
    partMeasured();
    if (!isDescribed) continue;
    const places = trianglePlaces(mesh, own);
    described.push({
      name: sanitizeName(part.name),
      mesh: own.length ? written++ : null,
      faces: faces.map((face, i) => ({ ...face, triangles: places[i] ?? null }) as MeasuredFace),
      edges,
    });
  }
  if (!isDescribed) return { data: null, integrated };
  const indexOf = new Map(parts.map((part, index) => [part, index]));
  const placements = placed.map(({ part, matrix }) => ({ part: indexOf.get(part)!, matrix: matrix.slice(0, 12) }));
  return { data: { units: 'mm', chordError: tolerance, parts: described, placements }, integrated };
}

// The GLB has the triangles of a part in one primitive per colour; within it, faces keep their order.
function trianglePlaces({ faces }: Mesh, surfaces: readonly Surface[]): MeasuredFace['triangles'][] {
  const next = surfaces.map(() => 0);
  const primitiveOf = new Map(
    surfaces.flatMap(({ faces: own }, primitive) => own.map((face): [number, number] => [face, primitive])),
  );
  return Array.from({ length: faces.length / 2 }, (_, face) => {
    const count = faces[face * 2 + 1]! / 3;
    const primitive = primitiveOf.get(face) ?? 0;
    if (!count) return null;
    const first = surfaces.length > 1 ? next[primitive]! : faces[face * 2]! / 3;
    next[primitive]! += count;
    return [primitive, first, count];
  });
}

/** Encodes the artifact as JSON with 13 significant digits; smaller numbers than 1e-10 are rounding errors. */
export function encodeMeasureData(data: MeasureData): Buffer {
  return Buffer.from(`${JSON.stringify(data, round)}\n`);
}

function round(key: string, value: unknown): unknown {
  // Points of freeform curves only show their course.
  if (key === 'points') return (value as Point[]).map((point) => point.map((each) => Number(each.toFixed(4))));
  if (typeof value !== 'number' || Number.isInteger(value)) return value;
  return Math.abs(value) < 1e-10 ? 0 : Number(value.toPrecision(13));
}
