import { sanitizeName } from '../limits.ts';
import { transformPoint, type Vector } from './matrix.ts';
import type { ShapeMeasurements } from './measure-shape.ts';
import type { Part, Placement } from './product.ts';

/** Placed parts of one material; `density` is null if the file states none, `mass` in kg if the volume is unknown. */
export type MaterialUse = { name: string | null; density: number | null; occurrences: number; mass: number | null };

/**
 * In kg and mm: the sums over the placed parts with a known density and volume, null if there are none.
 * `occurrencesWithoutMass` counts the others.
 */
export type Mass = {
  mass: number | null;
  massUncertainty: number | null;
  massCentre: Vector | null;
  occurrencesWithoutMass: number;
  materials: MaterialUse[];
};

const CUBIC_METRE = 1e9;
const MAX_MATERIALS = 100;

/** Sums the masses of placed parts. A material is never assumed. */
export function massOf(placed: readonly Placement[], measurements: ReadonlyMap<Part, ShapeMeasurements>): Mass {
  const materials = new Map<string, MaterialUse>();
  const moment: [number, number, number] = [0, 0, 0];
  let [mass, uncertainty, counted] = [0, 0, 0];
  for (const { part, matrix } of placed) {
    const { volume, centreOfMass, uncertainty: errors } = measurements.get(part)!;
    const { name = null, density = null } = part.material ?? {};
    const weight = density !== null && volume !== null ? (density * volume) / CUBIC_METRE : null;
    if (part.material) addUse(materials, { name: name && sanitizeName(name), density, occurrences: 1, mass: weight });
    if (weight === null || volume === null || !centreOfMass) continue;
    counted++;
    mass += weight;
    uncertainty += (weight * errors.volume) / volume;
    transformPoint(matrix, centreOfMass).forEach((at, i) => {
      moment[i]! += weight * at;
    });
  }
  return {
    mass: counted ? mass : null,
    massUncertainty: counted ? uncertainty : null,
    massCentre: mass > 0 ? [moment[0] / mass, moment[1] / mass, moment[2] / mass] : null,
    occurrencesWithoutMass: placed.length - counted,
    materials: [...materials.values()].slice(0, MAX_MATERIALS),
  };
}

function addUse(materials: Map<string, MaterialUse>, use: MaterialUse): void {
  const key = `${use.name} ${use.density}`;
  const known = materials.get(key);
  if (!known) materials.set(key, use);
  else {
    known.occurrences += use.occurrences;
    known.mass = use.mass === null ? known.mass : (known.mass ?? 0) + use.mass;
  }
}
