import type { Kernel } from '../kernel.ts';
import { type Matrix, rotationOf, transformPoint, type Vector } from './matrix.ts';
import { type Box, measureShape, rotatedBoundingBox, type ShapeMeasurements } from './measure-shape.ts';
import type { Part, Placement } from './product.ts';

export type ProductMeasurements = ShapeMeasurements & {
  boundingBox: Box & { size: Vector };
  definitions: number;
  occurrences: number;
};

/** Measures each part once and sums over placements. Boxes are computed per part and rotation, then translated. */
export function measureProduct(kernel: Kernel, placed: Placement[]): ProductMeasurements {
  const measurementsOf = new Map<Part, ShapeMeasurements>();
  const boxes = new Map<Part, Map<string, Box>>();
  const min: [number, number, number] = [Infinity, Infinity, Infinity];
  const max: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  const moment: [number, number, number] = [0, 0, 0];
  const total = { area: 0, volume: 0, solids: 0, faces: 0, valid: true, inverted: false };
  for (const { part, matrix } of placed) {
    const measurements = measurementsOf.get(part) ?? measureShape(kernel, part.shape);
    measurementsOf.set(part, measurements);
    const boxByRotation = boxes.get(part) ?? new Map<string, Box>();
    boxes.set(part, boxByRotation);
    const key = rotationKey(matrix);
    const box = boxByRotation.get(key) ?? rotatedBoundingBox(kernel, part.shape, rotationOf(matrix));
    boxByRotation.set(key, box);
    for (const i of AXES) {
      const offset = matrix[i * 4 + 3]!;
      min[i] = Math.min(min[i], box.min[i] + offset);
      max[i] = Math.max(max[i], box.max[i] + offset);
    }
    if (measurements.volume !== null && measurements.centreOfMass) {
      const centre = transformPoint(matrix, measurements.centreOfMass);
      total.volume += measurements.volume;
      for (const i of AXES) moment[i] += measurements.volume * centre[i];
    }
    total.area += measurements.area;
    total.solids += measurements.solids;
    total.faces += measurements.faces;
    total.valid &&= measurements.valid;
    total.inverted ||= measurements.inverted;
  }
  const { volume } = total;
  return {
    ...total,
    volume: total.solids ? volume : null,
    centreOfMass: volume > 0 ? [moment[0] / volume, moment[1] / volume, moment[2] / volume] : null,
    boundingBox: { min, max, size: [max[0] - min[0], max[1] - min[1], max[2] - min[2]] },
    definitions: measurementsOf.size,
    occurrences: placed.length,
  };
}

const AXES = [0, 1, 2] as const;

const rotationKey = (matrix: Matrix) =>
  rotationOf(matrix)
    .map((value) => value.toFixed(9))
    .join();
