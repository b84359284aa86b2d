import { type Kernel, type Shape, withKernelErrors } from '../kernel.ts';
import { countSubshapes } from './count-subshapes.ts';
import type { Area, Body } from './integrals.ts';
import type { Vector } from './matrix.ts';
import { type Mesh, meshArea } from './mesh.ts';

/**
 * In mm, mm², mm³. `volume` and `centreOfMass` are those of the solids, null without one. `openFaces` counts the faces
 * that belong to no solid. `inverted`: faces point inwards. `uncertainty`: by how much each value may differ from the
 * true one.
 */
export type ShapeMeasurements = {
  area: number;
  volume: number | null;
  centreOfMass: Vector | null;
  uncertainty: Uncertainty;
  solids: number;
  faces: number;
  openFaces: number;
  valid: boolean;
  inverted: boolean;
};

/** In mm², mm³ and mm. */
export type Uncertainty = { area: number; volume: number; centreOfMass: number };

/**
 * Counts and checks the solids and faces of a part.
 */
export function checkShape(kernel: Kernel, shape: Shape): Pick<ShapeMeasurements, 'solids' | 'faces' | 'valid'> {
  return withKernelErrors(kernel, 'measuring', () => {
    using check = new kernel.BRepCheck_Analyzer(shape, true, false, false);
    return {
      solids: countSubshapes(kernel, shape, 'solid'),
      faces: countSubshapes(kernel, shape, 'face'),
      valid: check.IsValid(),
    };
  });
}

/**
 * Measures a part in its own coordinates, from the areas of its faces and the volume that they enclose. Adds to their
 * uncertainty how much they differ from the triangles. The volume of an inverted solid is reported as positive.
 */
export function measureShape(
  kernel: Kernel,
  shape: Shape,
  mesh: Mesh,
  chordError: number,
  { areas, body, open }: IntegratedPart,
): ShapeMeasurements {
  return withKernelErrors(kernel, 'measuring', () => {
    const checked = { ...checkShape(kernel, shape), openFaces: open.size };
    const triangles = measureMesh(mesh, open);
    const area = sumOf(areas, (face) => face.area);
    // The triangles of a round face are up to 0.4 % smaller at 0.3 rad.
    const areaError = sumOf(areas, (face) => face.areaError) + excess(area, triangles.area, 0.01 * area);
    if (!checked.solids || !body) {
      const uncertainty = { area: areaError, volume: 0, centreOfMass: 0 };
      return { ...checked, area, volume: null, centreOfMass: null, uncertainty, inverted: false };
    }
    // The volume between the triangles and the faces of the solids.
    const layer = chordError * (area - sumOf([...open], (face) => areas[face]!.area));
    const isClosed = triangles.isComplete;
    const volume = Math.abs(body.mass);
    const shift = isClosed ? distance(body.centre, triangles.centre) : 0;
    const size = Math.max(...triangles.size);
    const uncertainty = {
      area: areaError,
      volume: body.spread + body.gaps.spread + (isClosed ? excess(body.mass, triangles.volume, layer) : 0),
      centreOfMass: body.shift + body.gaps.shift + Math.max(0, shift - (2 * layer * size) / volume),
    };
    return { ...checked, area, volume, centreOfMass: body.centre, uncertainty, inverted: body.mass < 0 };
  });
}

/** The integrals over the faces of a part; `body` is null without a solid, `open` the faces outside of solids. */
export type IntegratedPart = { areas: readonly Area[]; body: Body | null; open: ReadonlySet<number> };

const sumOf = <Item>(items: readonly Item[], value: (item: Item) => number) =>
  items.reduce((sum, item) => sum + value(item), 0);
const excess = (value: number, other: number, allowed: number) => Math.max(0, Math.abs(value - other) - allowed);
const distance = (a: Vector, b: Vector) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

// Area, and volume and centre of the solids by the divergence theorem, which holds if every face has triangles.
function measureMesh(mesh: Mesh, open: ReadonlySet<number>) {
  const { positions: p, faces } = mesh;
  const indices = indicesWithout(mesh, open);
  let volume = 0;
  const moment: [number, number, number] = [0, 0, 0];
  const low: [number, number, number] = [Infinity, Infinity, Infinity];
  const high: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  for (let t = 0; t < indices.length; t += 3) {
    const [a, b, c] = [indices[t]! * 3, indices[t + 1]! * 3, indices[t + 2]! * 3] as const;
    const [ax, ay, az] = [p[a]!, p[a + 1]!, p[a + 2]!];
    const [bx, by, bz] = [p[b]!, p[b + 1]!, p[b + 2]!];
    const [cx, cy, cz] = [p[c]!, p[c + 1]!, p[c + 2]!];
    const nx = (by - ay) * (cz - az) - (bz - az) * (cy - ay);
    const ny = (bz - az) * (cx - ax) - (bx - ax) * (cz - az);
    const nz = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
    const signed = (ax * nx + ay * ny + az * nz) / 6;
    volume += signed;
    const sum = [ax + bx + cx, ay + by + cy, az + bz + cz] as const;
    for (const i of [0, 1, 2] as const) {
      moment[i] += (signed * sum[i]) / 4;
      low[i] = Math.min(low[i], p[a + i]!, p[b + i]!, p[c + i]!);
      high[i] = Math.max(high[i], p[a + i]!, p[b + i]!, p[c + i]!);
    }
  }
  const isComplete = faces.length > 0 && faces.every((length, i) => i % 2 === 0 || length > 0 || open.has(i >> 1));
  const centre: Vector = [moment[0] / volume, moment[1] / volume, moment[2] / volume];
  const size: Vector = [high[0] - low[0], high[1] - low[1], high[2] - low[2]];
  return { area: meshArea(mesh), volume, centre, size, isComplete };
}

function indicesWithout({ indices, faces }: Mesh, left: ReadonlySet<number>): Uint32Array {
  if (!left.size) return indices;
  const own = Array.from({ length: faces.length / 2 }, (_, face) => {
    const start = faces[face * 2]!;
    return left.has(face) ? [] : Array.from(indices.subarray(start, start + faces[face * 2 + 1]!));
  });
  return Uint32Array.from(own.flat());
}
