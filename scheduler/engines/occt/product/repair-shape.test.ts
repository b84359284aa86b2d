import { expect, test } from 'vitest';
import type { Shape } from '../kernel.ts';
import { box, kernel, sheet } from '../test-models.ts';
import { repairShape } from './repair-shape.ts';

const wrapped = (model: unknown) => (model as { wrapped: Shape }).wrapped;

test('a repaired solid reports how much it changed', () => {
  const repaired = repairShape(kernel, wrapped(box()))!;
  expect(repaired.deviation).toBeLessThan(1e-9);
  repaired.shape.delete();
});

test('a solid without a volume has no undefined deviation', () => {
  using builder = new kernel.TopoDS_Builder();
  using shell = new kernel.TopoDS_Shell();
  builder.MakeShell(shell);
  builder.Add(shell, wrapped(sheet()));
  using solid = new kernel.TopoDS_Solid();
  builder.MakeSolid(solid);
  builder.Add(solid, shell);
  const repaired = repairShape(kernel, solid);
  expect(repaired?.deviation).toBe(0);
  repaired?.shape.delete();
});

test('a shape without solids is not repaired', () => {
  expect(repairShape(kernel, wrapped(sheet()))).toBeNull();
});
