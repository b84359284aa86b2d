import { fail } from '../job-failure.ts';
import { type Kernel, type Shape, withKernelErrors } from '../kernel.ts';
import { countSubshapes } from './count-subshapes.ts';
import type { Matrix, Vector } from './matrix.ts';

/** In mm, mm², mm³. `volume` and `centreOfMass` are null without a closed solid. `inverted`: faces point inwards. */
export type ShapeMeasurements = {
  area: number;
  volume: number | null;
  centreOfMass: Vector | null;
  solids: number;
  faces: number;
  valid: boolean;
  inverted: boolean;
};

export type Box = { min: Vector; max: Vector };

// Without an explicit accuracy, results on cylinders are off by up to 2.4e-5 and depend on the position of the part.
const ACCURACY = 1e-7;
const MAX_COORDINATE = 1e9;

/** Measures a part in its own coordinates. The volume of an inverted solid is reported as positive. */
export function measureShape(kernel: Kernel, shape: Shape): ShapeMeasurements {
  return withKernelErrors(kernel, 'measuring', () => {
    using surface = new kernel.GProp_GProps();
    kernel.BRepGProp.SurfaceProperties(shape, surface, ACCURACY, false);
    const solids = countSubshapes(kernel, shape, 'solid');
    using check = new kernel.BRepCheck_Analyzer(shape, true, false, false);
    const measurements = {
      area: surface.Mass(),
      solids,
      faces: countSubshapes(kernel, shape, 'face'),
      valid: check.IsValid(),
    };
    if (!solids) return { ...measurements, volume: null, centreOfMass: null, inverted: false };
    using body = new kernel.GProp_GProps();
    kernel.BRepGProp.VolumeProperties(shape, body, ACCURACY, false, false);
    using centre = body.CentreOfMass();
    return {
      ...measurements,
      volume: Math.abs(body.Mass()),
      centreOfMass: [centre.X(), centre.Y(), centre.Z()],
      inverted: body.Mass() < 0,
    };
  });
}

/** Returns the exact bounding box of a rotated shape. Throws JobFailure `unbounded`. */
export function rotatedBoundingBox(kernel: Kernel, shape: Shape, rotation: Matrix): Box {
  return withKernelErrors(kernel, 'measuring', () => {
    using turn = new kernel.gp_Trsf();
    turn.SetValues(...(rotation.slice(0, 12) as Parameters<typeof turn.SetValues>));
    using location = new kernel.TopLoc_Location(turn);
    using turned = shape.Moved(location, false);
    using box = new kernel.Bnd_Box();
    box.SetGap(0);
    kernel.BRepBndLib.AddOptimal(turned, box, false, false);
    const min: Vector = [box.GetXMin(), box.GetYMin(), box.GetZMin()];
    const max: Vector = [box.GetXMax(), box.GetYMax(), box.GetZMax()];
    if (![...min, ...max].every((x) => Math.abs(x) < MAX_COORDINATE))
      fail('unbounded', 'the shape has no finite extent');
    return { min, max };
  });
}
