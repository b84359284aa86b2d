import { sanitizeName } from '../limits.ts';
import type { StatedProperty } from '../step/stated-properties.ts';
import { transformPoint, type Vector } from './matrix.ts';
import type { ShapeMeasurements } from './measure-shape.ts';
import { type Definition, type Part, placements, type Warning } from './product.ts';

/**
 * A value that the file states for a product, compared with that of the kernel; `deviation` is relative. That of a
 * centroid is the distance divided by the cube root of the volume.
 */
export type Check = { of: string; deviation: number } & (
  | { quantity: 'volume' | 'area'; file: number; kernel: number }
  | { quantity: 'centroid'; file: Vector; kernel: Vector }
);

/** What a file states about one of its products. */
export type Stated = StatedProperty & { definition: Definition };

// Writers compute these values with their own tolerance: volumes often to 1e-5, areas of splines to 1e-3 only.
const MAX_DEVIATION = { volume: 1e-3, area: 5e-3, centroid: 1e-3 };
const MAX_CHECKS = 500;

/** Compares the values that the file states with the measurements; an assembly is the sum of its parts. */
export function checkStated(
  stated: readonly Stated[],
  measurements: ReadonlyMap<Part, ShapeMeasurements>,
): { check: Check[]; warnings: Warning[] } {
  const check = stated.slice(0, MAX_CHECKS).flatMap((property): Check[] => {
    const { definition } = property;
    const of = sanitizeName(definition.name);
    if (property.quantity === 'centroid') {
      const found = centroidOf(definition, measurements);
      if (!found) return [];
      const distance = Math.hypot(...found.at.map((value, i) => value - property.value[i]!));
      const deviation = distance / Math.cbrt(found.volume);
      return [{ of, quantity: 'centroid', file: property.value, kernel: found.at, deviation }];
    }
    const { quantity, value } = property;
    const kernel = placements(definition).reduce((sum, { part }) => sum + (measurements.get(part)?.[quantity] ?? 0), 0);
    return kernel > 0 ? [{ of, quantity, file: value, kernel, deviation: Math.abs(kernel - value) / value }] : [];
  });
  const different = check.filter(({ quantity, deviation }) => deviation > MAX_DEVIATION[quantity]);
  const [first] = different;
  if (!first) return { check, warnings: [] };
  const percent = Number((100 * first.deviation).toPrecision(2));
  const more = different.length > 1 ? `; ${different.length} values differ` : '';
  const relative = first.quantity === 'centroid' ? ' of its size' : '';
  const message = `the ${first.quantity} of ${first.of} differs by ${percent} %${relative} from the value in the file${more}`;
  return { check, warnings: [{ code: 'differs_from_file', message }] };
}

// Null unless the volume of every part is known.
function centroidOf(definition: Definition, measurements: ReadonlyMap<Part, ShapeMeasurements>) {
  let volume = 0;
  const moment: [number, number, number] = [0, 0, 0];
  for (const { part, matrix } of placements(definition)) {
    const measured = measurements.get(part);
    if (!measured?.volume || !measured.centreOfMass) return null;
    const at = transformPoint(matrix, measured.centreOfMass);
    for (const axis of [0, 1, 2] as const) moment[axis] += measured.volume * at[axis];
    volume += measured.volume;
  }
  const at: Vector = [moment[0] / volume, moment[1] / volume, moment[2] / volume];
  return volume > 0 ? { at, volume } : null;
}
