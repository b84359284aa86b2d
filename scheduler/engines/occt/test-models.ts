import { setFlagsFromString } from 'node:v8';
import * as cad from 'replicad';
import { compileKernel, type Shape, startKernel } from './kernel.ts';

// Parts modeled in code, so that the tests need no third-party files.

// In short-lived processes the optimizing compiler costs more than it gains.
setFlagsFromString('--liftoff-only');
/**
 * The compiled kernel and an instance shared by the tests of a file; starting one costs as much as a small conversion.
 */
export const module = await compileKernel();
export const kernel = await startKernel(module);
cad.setOC(kernel as unknown as Parameters<typeof cad.setOC>[0]);

export type Model = { blobSTEP(): Blob };

/** A bracket with four bolt holes, a bearing hole and a fillet: plane, cylindrical and toroidal faces. */
export function bracket(): Model {
  const foot = cad.drawRoundedRectangle(80, 60, 6).sketchOnPlane('XY').extrude(8) as cad.Solid;
  const wall = (cad.drawRectangle(60, 8).sketchOnPlane('XY', [0, 26, 0]) as cad.Sketch).extrude(50);
  const holes = [-28, 28].flatMap((x) => [-18, 14].map((y) => cad.makeCylinder(4, 20, [x, y, -5], [0, 0, 1])));
  const drilled = holes.reduce<cad.Shape3D>((body, hole) => body.cut(hole), foot.fuse(wall));
  return drilled
    .cut(cad.makeCylinder(10, 40, [0, 10, 30], [0, 1, 0]))
    .fillet(3, (edge) => edge.inPlane('XY', 8).containsPoint([0, 22, 8]));
}

/** A box of 20 × 30 × 10 mm. */
export const box = (): Model => cad.makeBox([0, 0, 0], [20, 30, 10]);

/** A cylinder of radius 5 and length 40 mm. */
export const pin = (): Model => cad.makeCylinder(5, 40, [0, 0, 0], [0, 0, 1]);

/** A sheet without thickness: faces, but no solid. */
export const sheet = (): Model => (cad.drawRectangle(20, 30).sketchOnPlane('XY') as cad.Sketch).face();

/** Separate pins; a few hundred take several seconds to convert. */
export function manyPins(count: number): Model {
  return cad.makeCompound(
    Array.from({ length: count }, (_, i) =>
      cad.makeCylinder(3, 20, [10 * (i % 30), 10 * Math.floor(i / 30), 0], [0.1, 0, 1]),
    ),
  ) as Model;
}

/** The model as a STEP file (AP214, mm). */
export async function stepOf(model: Model): Promise<Buffer> {
  return Buffer.from(await model.blobSTEP().arrayBuffer());
}

/** The kernel's shape of a model, which replicad keeps in a field that is not public. */
export const shapeOf = (model: unknown): Shape => (model as { wrapped: Shape }).wrapped;
