import type { Kernel } from '../kernel.ts';
import { type BoundingBox, boundingBoxOf } from './bounding-box.ts';
import { transformPoint } from './matrix.ts';
import { type IntegratedPart, measureShape, type ShapeMeasurements } from './measure-shape.ts';
import type { Mesh } from './mesh.ts';
import type { Part, Placement } from './product.ts';

export type ProductMeasurements = ShapeMeasurements & {
  boundingBox: BoundingBox;
  definitions: number;
  occurrences: number;
  parts: ReadonlyMap<Part, ShapeMeasurements>;
};

/** Measures each part once and sums over placements; uncertainties add up. */
export function measureProduct(
  kernel: Kernel,
  placed: Placement[],
  meshes: Map<Part, Mesh>,
  chordError: number,
  integrated: ReadonlyMap<Part, IntegratedPart>,
): ProductMeasurements {
  const measurementsOf = new Map<Part, ShapeMeasurements>();
  const moment: [number, number, number] = [0, 0, 0];
  const total = { area: 0, volume: 0, solids: 0, faces: 0, openFaces: 0, valid: true, inverted: false };
  const uncertainty = { area: 0, volume: 0, centreOfMass: 0 };
  const weighted: { volume: number; error: number; volumeError: number; centre: readonly number[] }[] = [];
  for (const { part, matrix } of placed) {
    const known = measurementsOf.get(part);
    const measurements =
      known ?? measureShape(kernel, part.shape, meshes.get(part)!, chordError, integrated.get(part)!);
    measurementsOf.set(part, measurements);
    if (measurements.volume !== null && measurements.centreOfMass) {
      const { volume } = measurements;
      const centre = transformPoint(matrix, measurements.centreOfMass);
      total.volume += volume;
      for (const i of AXES) moment[i] += volume * centre[i];
      uncertainty.volume += measurements.uncertainty.volume;
      const { volume: volumeError, centreOfMass: error } = measurements.uncertainty;
      weighted.push({ volume, error, volumeError, centre });
    }
    total.area += measurements.area;
    uncertainty.area += measurements.uncertainty.area;
    total.solids += measurements.solids;
    total.faces += measurements.faces;
    total.openFaces += measurements.openFaces;
    total.valid &&= measurements.valid;
    total.inverted ||= measurements.inverted;
  }
  const { volume } = total;
  const centre = [moment[0] / volume, moment[1] / volume, moment[2] / volume] as const;
  for (const each of weighted) {
    const arm = Math.hypot(...AXES.map((i) => each.centre[i]! - centre[i]));
    uncertainty.centreOfMass += (each.volume * each.error + each.volumeError * arm) / volume;
  }
  return {
    ...total,
    volume: total.solids ? volume : null,
    centreOfMass: volume > 0 ? centre : null,
    uncertainty,
    boundingBox: boundingBoxOf(kernel, placed, meshes, chordError),
    definitions: measurementsOf.size,
    occurrences: placed.length,
    parts: measurementsOf,
  };
}

const AXES = [0, 1, 2] as const;
