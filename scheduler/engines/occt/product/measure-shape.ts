import { type Kernel, type Shape, withKernelErrors } from '../kernel.ts';
import { countSubshapes } from './count-subshapes.ts';
import type { Vector } from './matrix.ts';
import type { Mesh } from './mesh.ts';

/**
 * In mm, mm², mm³. `volume` and `centreOfMass` are null without a closed solid. `inverted`: faces point inwards.
 * `uncertainty`: by how much each value may differ from the true one.
 */
export type ShapeMeasurements = {
  area: number;
  volume: number | null;
  centreOfMass: Vector | null;
  uncertainty: Uncertainty;
  solids: number;
  faces: number;
  valid: boolean;
  inverted: boolean;
};

/** In mm², mm³ and mm. */
export type Uncertainty = { area: number; volume: number; centreOfMass: number };

// Without an explicit accuracy, results on cylinders are off by up to 2.4e-5 and depend on the position of the part.
const ACCURACY = 1e-7;

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
 * Measures a part in its own coordinates. The volume of an inverted solid is reported as positive. The kernel integrates
 * twice, with and without an explicit accuracy: either can be wrong without an error. If they differ by more than the
 * warning limit, the one that is closer to the triangles counts. `areas` are those of the faces, if they are known.
 */
export function measureShape(
  kernel: Kernel,
  shape: Shape,
  mesh: Mesh,
  chordError: number,
  areas: readonly Area[] | null = null,
): ShapeMeasurements {
  return withKernelErrors(kernel, 'measuring', () => {
    const checked = checkShape(kernel, shape);
    const triangles = measureMesh(mesh);
    const surface = areas ? sumOf(areas) : integrateArea(kernel, shape, triangles.area);
    // The triangles of a round face are up to 0.4 % smaller at 0.3 rad.
    const areaError = excess(surface.mass, triangles.area, 0.01 * surface.mass);
    const uncertainty = { area: surface.spread + areaError, volume: 0, centreOfMass: 0 };
    if (!checked.solids)
      return { ...checked, area: surface.mass, volume: null, centreOfMass: null, uncertainty, inverted: false };
    const body = choose(
      integrate(kernel, (props, accuracy) =>
        accuracy
          ? kernel.BRepGProp.VolumeProperties(shape, props, accuracy, false, false)
          : kernel.BRepGProp.VolumeProperties(shape, props, false, false, false),
      ),
      triangles.volume,
    );
    // The volume between the triangles and the faces.
    const layer = surface.mass * chordError;
    const isClosed = triangles.isComplete;
    uncertainty.volume = body.spread + (isClosed ? excess(body.mass, triangles.volume, layer) : 0);
    const volume = Math.abs(body.mass);
    const shift = isClosed ? distance(body.centre, triangles.centre) : 0;
    const size = Math.max(...triangles.size);
    uncertainty.centreOfMass = body.shift + Math.max(0, shift - (2 * layer * size) / volume);
    return {
      ...checked,
      area: surface.mass,
      volume,
      centreOfMass: body.centre,
      uncertainty,
      inverted: body.mass < 0,
    };
  });
}

/** The area of a face in mm² and by how much it may be wrong. */
export type Area = { area: number; areaError: number };
type Surface = { mass: number; spread: number };

function sumOf(areas: readonly Area[]): Surface {
  return areas.reduce((sum, { area, areaError }) => ({ mass: sum.mass + area, spread: sum.spread + areaError }), {
    mass: 0,
    spread: 0,
  });
}

/** Integrates the area of a shape twice; `meshed` is the area of its triangles, which decides between them. */
export function integrateArea(kernel: Kernel, shape: Shape, meshed: number): Surface {
  const area = integrate(kernel, (props, accuracy) =>
    accuracy
      ? kernel.BRepGProp.SurfaceProperties(shape, props, accuracy, false)
      : kernel.BRepGProp.SurfaceProperties(shape, props, false, false),
  );
  return choose(area, meshed);
}

type Properties = { mass: number; centre: Vector };
type Integrate = (props: InstanceType<Kernel['GProp_GProps']>, accuracy: number | null) => void;

function integrate(kernel: Kernel, work: Integrate): [accurate: Properties, plain: Properties] {
  const run = (accuracy: number | null): Properties => {
    using props = new kernel.GProp_GProps();
    work(props, accuracy);
    using centre = props.CentreOfMass();
    return { mass: props.Mass(), centre: [centre.X(), centre.Y(), centre.Z()] };
  };
  return [run(ACCURACY), run(null)];
}

/** Relative uncertainty from which a warning is reported. */
export const MAX_UNCERTAINTY = 1e-4;

function choose([accurate, plain]: [Properties, Properties], meshed: number) {
  const spread = Math.abs(accurate.mass - plain.mass);
  const shift = distance(accurate.centre, plain.centre);
  const isUnsure = spread > MAX_UNCERTAINTY * Math.abs(accurate.mass);
  const isPlainCloser = Math.abs(plain.mass - meshed) < Math.abs(accurate.mass - meshed);
  return { ...(isUnsure && isPlainCloser ? plain : accurate), spread, shift };
}

const excess = (value: number, other: number, allowed: number) => Math.max(0, Math.abs(value - other) - allowed);
const distance = (a: Vector, b: Vector) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

// Area, and volume and centre by the divergence theorem, which holds if every face has triangles.
function measureMesh({ positions: p, indices, faces }: Mesh) {
  let area = 0;
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
    area += Math.hypot(nx, ny, nz) / 2;
    const signed = (ax * nx + ay * ny + az * nz) / 6;
    volume += signed;
    const sum = [ax + bx + cx, ay + by + cy, az + bz + cz] as const;
    for (const i of [0, 1, 2] as const) {
      moment[i] += (signed * sum[i]) / 4;
      low[i] = Math.min(low[i], p[a + i]!, p[b + i]!, p[c + i]!);
      high[i] = Math.max(high[i], p[a + i]!, p[b + i]!, p[c + i]!);
    }
  }
  const isComplete = faces.length > 0 && faces.every((length, i) => i % 2 === 0 || length > 0);
  const centre: Vector = [moment[0] / volume, moment[1] / volume, moment[2] / volume];
  const size: Vector = [high[0] - low[0], high[1] - low[1], high[2] - low[2]];
  return { area, volume, centre, size, isComplete };
}
