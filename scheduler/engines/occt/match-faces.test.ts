import { expect, test } from 'vitest';
import type { Shape } from './kernel.ts';
import { matchFaces } from './match-faces.ts';
import { facesOf } from './product/faces.ts';
import { repairShape } from './product/repair-shape.ts';
import { box, kernel, shapeOf } from './test-models.ts';

const centres = (shape: Shape) =>
  [...facesOf(kernel, shape)].map((face) => {
    using surface = new kernel.GProp_GProps();
    kernel.BRepGProp.SurfaceProperties(face, surface, false, false);
    using centre = surface.CentreOfMass();
    face.delete();
    return [centre.X(), centre.Y(), centre.Z()].map((value) => value.toFixed(3)).join();
  });

/** A box of which some faces are reversed. */
function reversedBox(...reversed: number[]): Shape {
  using builder = new kernel.TopoDS_Builder();
  using shell = new kernel.TopoDS_Shell();
  builder.MakeShell(shell);
  [...facesOf(kernel, shapeOf(box()))].forEach((face, i) => {
    builder.Add(shell, reversed.includes(i) ? face.Reversed() : face);
  });
  const solid = new kernel.TopoDS_Solid();
  builder.MakeSolid(solid);
  builder.Add(solid, shell);
  return solid;
}

test('finds the original faces after a repair that changed their order', () => {
  const original = reversedBox(1);
  const { shape: repaired } = repairShape(kernel, original)!;
  expect(centres(repaired)).not.toEqual(centres(original));
  const before = centres(original);
  expect(matchFaces(kernel, original, repaired).map((index) => before[index])).toEqual(centres(repaired));
});

test('matches replaced faces by their centers', () => {
  const [original, other] = [shapeOf(box()), reversedBox(0, 1, 2, 3, 4, 5)];
  const before = centres(original);
  expect(matchFaces(kernel, original, other).map((index) => before[index])).toEqual(centres(other));
});
