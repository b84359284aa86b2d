import { expect, test } from 'vitest';
import { countParts, readStepStructure, structureOf } from './step-structure.ts';

const usage = (id: number, parent: number, child: number, name = 'n') =>
  `#${id} = NEXT_ASSEMBLY_USAGE_OCCURRENCE('${id}','${name}',$,\n #${parent},#${child},$);\n`;

test('counts different parts and how often they are placed through subassemblies', async () => {
  // two brackets of three bolts and a plate each, and the plate once more
  const text = [
    usage(1, 10, 20),
    usage(2, 10, 20, "it''s, (the) second"),
    usage(3, 10, 30),
    ...[4, 5, 6].map((id) => usage(id, 20, 40)),
    usage(7, 20, 30),
  ].join('');
  expect(await readStepStructure(new Blob([text]))).toEqual({ parts: 2, places: 9 });
});

test('reads usages that chunks cut in two', async () => {
  const filler = `#1 = CARTESIAN_POINT('',(0.,0.,0.));\n`.repeat(5_000);
  const text = [1, 2, 3, 4].map((id) => filler + usage(id, 10, 10 + id)).join('');
  expect(await readStepStructure(new Blob([text]))).toEqual({ parts: 4, places: 4 });
});

test('returns null for a single part and ends for a structure that contains itself', async () => {
  expect(await readStepStructure(new Blob(['#1 = PRODUCT_DEFINITION($,$,#2,#3);']))).toBeNull();
  expect(
    structureOf([
      { parent: 1, child: 2 },
      { parent: 2, child: 1 },
      { parent: 3, child: 1 },
    ]),
  ).toEqual({
    parts: 0,
    places: 0,
  });
});

test('distinguishes a single part from a file whose parts cannot be counted', async () => {
  const counts = await Promise.all(
    ['a.stp', 'b.stp', 'c.stpz', 'd.step.zip', 'e.FCStd', 'f.igs'].map((name) =>
      countParts(new File([name === 'b.stp' ? usage(1, 10, 20) : ''], name)),
    ),
  );
  expect(counts).toEqual([null, { parts: 1, places: 1 }, undefined, undefined, undefined, null]);
});
