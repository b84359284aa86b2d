import { expect, test } from 'vitest';
import { fileRows, formatDifference, massPropertyRows, significantFields } from './comparison-rows.ts';

const file = (kind: string, fileName = `${kind}.bin`, generator: string | null = null) => ({
  id: kind,
  kind,
  fileName,
  size: 1,
  sha256: 'a',
  generator,
});

test('classifies files as same, changed, renamed, added or removed, differences first', () => {
  const rows = fileRows({
    from: {
      artifacts: [file('source'), file('glb', 'a.glb', 'occt/1'), file('attachment.old'), file('attachment.name')],
    },
    to: {
      artifacts: [
        file('source'),
        file('glb', 'a.glb', 'occt/1'),
        file('attachment.new'),
        file('attachment.name', 'other'),
      ],
    },
    files: [
      {
        kind: 'glb',
        change: 'changed',
        contentDiffers: true,
        from: file('glb', 'a.glb', 'occt/1'),
        to: file('glb', 'a.glb', 'occt/1'),
      },
      { kind: 'attachment.old', change: 'removed', contentDiffers: true, from: file('attachment.old'), to: null },
      { kind: 'attachment.new', change: 'added', contentDiffers: true, from: null, to: file('attachment.new') },
      {
        kind: 'attachment.name',
        change: 'changed',
        contentDiffers: false,
        from: file('attachment.name'),
        to: file('attachment.name', 'other'),
      },
    ],
  });
  expect(rows.map(({ kind, change, derived }) => [kind, change, derived])).toEqual([
    ['glb', 'changed', true],
    ['attachment.old', 'removed', false],
    ['attachment.new', 'added', false],
    ['attachment.name', 'renamed', false],
    ['source', 'same', false],
  ]);
});

test.each([
  [12.5, 0.03, '+12.5 (+3 %)'],
  [-0.25, -0.5, '-0.25 (-50 %)'],
  [3, null, '+3'],
  [0, 0, 'same'],
  [1e-9, 1e-12, 'same'],
  [-1e-9, -1e-12, 'same'],
  [null, null, '–'],
])('formats a difference of %s (relative %s) as %s', (by, relative, text) => {
  expect(formatDifference(by, relative)).toBe(text);
});

test('shows a dash for a measure that one side lacks and omits measures that both lack', () => {
  const rows = massPropertyRows({
    volume: { from: null, to: 10, difference: null, relative: null },
    area: null,
    boundingBox: { from: { size: [10, 0, 5] }, to: { size: [12, 1, 5] }, sizeDifference: [2, 1, 0] },
    missing: [],
  });
  expect(rows.map(({ name, from, to, difference }) => [name, from, to, difference])).toEqual([
    ['Volume', '–', '10', '–'],
    ['Length (X)', '10', '12', '+2 (+20 %)'],
    ['Width (Y)', '0', '1', '+1'],
    ['Height (Z)', '5', '5', 'same'],
  ]);
});

test('ignores default names', () => {
  const name = (from: string | null, to: string | null) => ({ field: 'name', from, to });
  expect(significantFields([name('V1', 'V2'), { field: 'comment', from: null, to: 'V2' }])).toEqual([
    { field: 'comment', from: null, to: 'V2' },
  ]);
  expect(significantFields([name('V1', 'For the tests')])).toHaveLength(1);
});
