import * as cad from 'replicad';
import { describe, expect, test } from 'vitest';
import type { Shape } from '../kernel.ts';
import { bracket, kernel, shapeOf } from '../test-models.ts';
import { boundingBoxOf } from './bounding-box.ts';
import { IDENTITY, type Matrix, multiply } from './matrix.ts';
import { kernelBox, withMoved } from './part-box.ts';
import { tessellate } from './tessellate.ts';

const CHORD_ERROR = 0.05;

describe('the box of a placed part', { timeout: 60_000 }, () => {
  test.each([
    ['a bracket with a fillet', bracket()],
    ['a ball without a corner', cad.makeSphere(10).cut(cad.makeBox([0, 0, 0], [20, 20, 20]))],
    ['a ring without a quarter', ring().cut(cad.makeBox([0, 0, -10], [40, 40, 10]))],
    ['a loft of splines', loft()],
    ['a rounded loft', loft().fillet(0.5, (edge) => edge.inPlane('XY', 20))],
  ])('is that of the kernel: %s', (_name, model) => {
    const shape = shapeOf(model);
    const meshes = tessellate(kernel, shape, CHORD_ERROR);
    for (const matrix of PLACES) {
      const part = { name: 'part', shape, uses: null };
      const { min, max, uncertainty } = boundingBoxOf(
        kernel,
        [{ part, matrix }],
        new Map([[part, meshes]]),
        CHORD_ERROR,
      );
      const searched = boxByKernel(shape, matrix);
      expect([...min, ...max]).toEqual([...searched.min, ...searched.max].map((side) => expect.closeTo(side, 5)));
      expect(uncertainty).toBe(1e-6);
    }
  });
});

function ring(): cad.Shape3D {
  const profile = cad.drawCircle(4).translate(15, 0).sketchOnPlane('XZ') as cad.Sketch;
  return profile.revolve([0, 0, 1]) as cad.Shape3D;
}

function loft(): cad.Shape3D {
  const [circle, square] = [cad.drawCircle(10), cad.drawRoundedRectangle(10, 14, 2)];
  return (circle.sketchOnPlane('XY') as cad.Sketch).loftWith(
    square.sketchOnPlane('XY', [3, 0, 20]) as cad.Sketch,
  ) as cad.Shape3D;
}

const turn = (axis: number, angle: number): Matrix => {
  const [i, j] = [(axis + 1) % 3, (axis + 2) % 3];
  const matrix = [...IDENTITY];
  matrix[i * 5] = matrix[j * 5] = Math.cos(angle);
  matrix[j * 4 + i] = Math.sin(angle);
  matrix[i * 4 + j] = -Math.sin(angle);
  return matrix;
};

const PLACES = [
  IDENTITY,
  [1, 0, 0, 100, 0, 1, 0, -30, 0, 0, 1, 7, 0, 0, 0, 1],
  turn(0, Math.PI / 2),
  multiply(turn(2, 0.7), multiply(turn(1, -1.1), turn(0, 2.5))),
];

// The box that the kernel searches for on every face.
const boxByKernel = (shape: Shape, matrix: Matrix) =>
  withMoved(kernel, shape, matrix, (moved) =>
    kernelBox(kernel, (box) => kernel.BRepBndLib.AddOptimal(moved, box, false, false)),
  );
