import type { Kernel } from '../kernel.ts';
import { type Matrix, rotationOf, transformPoint, type Vector } from './matrix.ts';
import { type Box, measureShape, rotatedBoundingBox, type ShapeMeasures } from './measure-shape.ts';
import type { Part, Placement } from './product.ts';

export type ProductMeasures = ShapeMeasures & {
  boundingBox: Box & { size: Vector };
  definitions: number;
  occurrences: number;
};

/** Measures each part once and sums over placements. Boxes are computed per part and rotation, then translated. */
export function measureProduct(kernel: Kernel, placed: Placement[]): ProductMeasures {
  const measuresOf = new Map<Part, ShapeMeasures>();
  const boxes = new Map<Part, Map<string, Box>>();
  const min: [number, number, number] = [Infinity, Infinity, Infinity];
  const max: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  const moment: [number, number, number] = [0, 0, 0];
  const total = { area: 0, volume: 0, solids: 0, faces: 0, valid: true, inverted: false };
  for (const { part, matrix } of placed) {
    const measures = measuresOf.get(part) ?? measureShape(kernel, part.shape);
    measuresOf.set(part, measures);
    const turned = boxes.get(part) ?? new Map<string, Box>();
    boxes.set(part, turned);
    const key = keyOf(matrix);
    const box = turned.get(key) ?? rotatedBoundingBox(kernel, part.shape, rotationOf(matrix));
    turned.set(key, box);
    for (const i of AXES) {
      const shift = matrix[i * 4 + 3]!;
      min[i] = Math.min(min[i], box.min[i] + shift);
      max[i] = Math.max(max[i], box.max[i] + shift);
    }
    if (measures.volume !== null && measures.centreOfMass) {
      const centre = transformPoint(matrix, measures.centreOfMass);
      total.volume += measures.volume;
      for (const i of AXES) moment[i] += measures.volume * centre[i];
    }
    total.area += measures.area;
    total.solids += measures.solids;
    total.faces += measures.faces;
    total.valid &&= measures.valid;
    total.inverted ||= measures.inverted;
  }
  const { volume } = total;
  return {
    ...total,
    volume: total.solids ? volume : null,
    centreOfMass: volume > 0 ? [moment[0] / volume, moment[1] / volume, moment[2] / volume] : null,
    boundingBox: { min, max, size: [max[0] - min[0], max[1] - min[1], max[2] - min[2]] },
    definitions: measuresOf.size,
    occurrences: placed.length,
  };
}

const AXES = [0, 1, 2] as const;

const keyOf = (matrix: Matrix) =>
  rotationOf(matrix)
    .map((value) => value.toFixed(9))
    .join();
