import { sanitizeName } from '../limits.ts';
import type { StatedProperty } from '../step/stated-properties.ts';
import type { ShapeMeasurements } from './measure-shape.ts';
import { type Definition, type Part, placements, type Warning } from './product.ts';

/** A value that the file states for a product, compared with that of the kernel; `deviation` is relative. */
export type Check = { of: string; quantity: 'volume' | 'area'; file: number; kernel: number; deviation: number };

// Writers compute these values with their own tolerance: volumes often to 1e-5, areas of splines to 1e-3 only.
const MAX_DEVIATION = { volume: 1e-3, area: 5e-3 };
const MAX_CHECKS = 500;

/** Compares the values that the file states with the measurements; an assembly is the sum of its parts. */
export function checkStated(
  stated: readonly StatedProperty[],
  definitionOf: ReadonlyMap<number, Definition>,
  measurements: ReadonlyMap<Part, ShapeMeasurements>,
): { check: Check[]; warnings: Warning[] } {
  const check = stated.slice(0, MAX_CHECKS).flatMap(({ product, quantity, value }): Check[] => {
    const definition = definitionOf.get(product);
    if (!definition) return [];
    const kernel = placements(definition).reduce((sum, { part }) => sum + (measurements.get(part)?.[quantity] ?? 0), 0);
    if (!(kernel > 0)) return [];
    return [
      {
        of: sanitizeName(definition.name),
        quantity,
        file: value,
        kernel,
        deviation: Math.abs(kernel - value) / value,
      },
    ];
  });
  const different = check.filter(({ quantity, deviation }) => deviation > MAX_DEVIATION[quantity]);
  const [first] = different;
  if (!first) return { check, warnings: [] };
  const percent = Number((100 * first.deviation).toPrecision(2));
  const more = different.length > 1 ? `; ${different.length} values differ` : '';
  const message = `the ${first.quantity} of ${first.of} differs by ${percent} % from the value in the file${more}`;
  return { check, warnings: [{ code: 'differs_from_file', message }] };
}
