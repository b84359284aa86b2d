import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareFields, compareFiles, compareMassProperties, parseMassProperties } from './compare.ts';

const file = (kind: string, sha256: string, fileName = `${kind}.bin`) => ({ kind, sha256, fileName });
const files = fc.uniqueArray(
  fc.record({
    kind: fc.constantFrom('source', 'glb', 'stp'),
    sha256: fc.constantFrom('a', 'b'),
    fileName: fc.constant('f'),
  }),
  {
    selector: ({ kind }) => kind,
  },
);

test('lists added, removed, changed and renamed files and omits equal ones', () => {
  const from = [file('source', 'a'), file('glb', 'b'), file('attachment.note', 'c', 'old.txt'), file('stp', 'd')];
  const to = [file('source', 'x'), file('attachment.note', 'c', 'new.txt'), file('stp', 'd'), file('thumbnail', 'e')];
  expect(compareFiles(from, to)).toEqual([
    { kind: 'attachment.note', change: 'changed', contentDiffers: false, from: from[2], to: to[1] },
    { kind: 'glb', change: 'removed', contentDiffers: true, from: from[1], to: null },
    { kind: 'source', change: 'changed', contentDiffers: true, from: from[0], to: to[0] },
    { kind: 'thumbnail', change: 'added', contentDiffers: true, from: null, to: to[3] },
  ]);
});

test('returns the opposite changes when the sides are swapped and none for equal sides', () => {
  fc.assert(
    fc.property(files, files, (a, b) => {
      const opposite = { added: 'removed', removed: 'added', changed: 'changed' } as const;
      expect(compareFiles(b, a)).toEqual(
        compareFiles(a, b).map(({ change, from, to, ...rest }) => ({
          ...rest,
          change: opposite[change],
          from: to,
          to: from,
        })),
      );
      expect(compareFiles(a, a)).toEqual([]);
    }),
  );
});

test('lists fields that differ, including null values', () => {
  expect(compareFields({ name: 'V1', comment: null }, { name: 'V1', comment: 'x' }, ['name', 'comment'])).toEqual([
    { field: 'comment', from: null, to: 'x' },
  ]);
});

test('parses the measures of an engine and returns null for other texts', () => {
  const box = { min: [0, 0, 0], max: [10, 20, 30] };
  expect(parseMassProperties(JSON.stringify({ volume: 6000, area: 2200, boundingBox: box, solids: 1 }))).toEqual({
    volume: 6000,
    area: 2200,
    boundingBox: { ...box, size: [10, 20, 30] },
  });
  expect(parseMassProperties(JSON.stringify({ volume: null, area: 1, boundingBox: box }))).toMatchObject({
    volume: null,
  });
  for (const text of [
    '',
    'no JSON',
    'null',
    '[]',
    '{}',
    '{"volume":"6","area":1}',
    JSON.stringify({ volume: 1, area: 1, boundingBox: { min: [0] } }),
  ])
    expect(parseMassProperties(text)).toBeNull();
});

test('computes differences as to minus from without binary rounding noise', () => {
  const measures = (volume: number | null, edge: number) => ({
    volume,
    area: 2 * edge,
    boundingBox: { min: [0, 0, 0], max: [edge, 1, 1], size: [edge, 1, 1] } as const,
  });
  expect(compareMassProperties(measures(0.1, 0.1), measures(0.3, 0.3))).toMatchObject({
    volume: { from: 0.1, to: 0.3, difference: 0.2, relative: 2 },
    area: { difference: 0.4 },
    boundingBox: { sizeDifference: [0.2, 0, 0] },
  });
  expect(compareMassProperties(measures(null, 1), measures(5, 1)).volume).toEqual({
    from: null,
    to: 5,
    difference: null,
    relative: null,
  });
  expect(compareMassProperties(measures(0, 1), measures(5, 1)).volume).toEqual({
    from: 0,
    to: 5,
    difference: 5,
    relative: null,
  });
});
