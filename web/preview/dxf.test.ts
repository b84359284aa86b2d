import { describe, expect, it, test } from 'vitest';
import { type Drawing, readDxf } from './dxf.ts';

type Groups = readonly (readonly [code: number, value: string | number])[];

const dxf = (entities: Groups, sections: Groups = []): string =>
  [...sections, [0, 'SECTION'], [2, 'ENTITIES'], ...entities, [0, 'ENDSEC'], [0, 'EOF']]
    .map(([code, value]) => `${code}\n${value}\n`)
    .join('');
const entity = (type: string, groups: Groups): Groups => [[0, type], [8, '0'], ...groups];
const line = (x: number): Groups => entity('LINE', [...at(10, x, 0), ...at(11, x + 1, 2)]);
const at = (code: number, x: number, y: number): Groups => [
  [code, x],
  [code + 10, y],
];
const firstLine = ({ lines }: Drawing) => lines[0]?.points ?? [];
const extent = (points: readonly (readonly [number, number])[]) => [
  Math.min(...points.map(([x]) => x)),
  Math.min(...points.map(([, y]) => y)),
  Math.max(...points.map(([x]) => x)),
  Math.max(...points.map(([, y]) => y)),
];

test('reads lines, and the box around them', () => {
  const drawing = readDxf(dxf([...line(0), ...line(4)]));
  expect(drawing.lines.map(({ points }) => points)).toEqual([
    [
      [0, 0],
      [1, 2],
    ],
    [
      [4, 0],
      [5, 2],
    ],
  ]);
  expect(drawing.box).toEqual([0, 0, 5, 2]);
});

describe('curves', () => {
  it.each([
    ['a circle', entity('CIRCLE', [...at(10, 1, 2), [40, 3]]), [-2, -1, 4, 5]],
    ['an arc from 90° to 180°', entity('ARC', [...at(10, 0, 0), [40, 2], [50, 90], [51, 180]]), [-2, 0, 0, 2]],
    [
      'an ellipse',
      entity('ELLIPSE', [...at(10, 0, 0), ...at(11, 4, 0), [40, 0.5], [41, 0], [42, 2 * Math.PI]]),
      [-4, -2, 4, 2],
    ],
    [
      'a polyline with a half circle',
      entity('LWPOLYLINE', [[90, 2], [70, 0], ...at(10, 0, 0), [42, 1], ...at(10, 2, 0)]),
      [0, -1, 2, 0],
    ],
    [
      'a spline',
      entity('SPLINE', [
        [71, 2],
        [72, 6],
        [73, 3],
        ...[0, 0, 0, 1, 1, 1].map((knot) => [40, knot] as const),
        ...at(10, 0, 0),
        ...at(10, 1, 2),
        ...at(10, 2, 0),
      ]),
      [0, 0, 2, 1],
    ],
  ])('reads %s', (_, entities, box) => {
    const found = extent(firstLine(readDxf(dxf(entities))));
    for (const [n, value] of found.entries()) expect(value).toBeCloseTo(box[n] ?? Number.NaN, 2);
  });
});

test('places blocks where they are inserted, scaled and turned', () => {
  const blocks: Groups = [
    [0, 'SECTION'],
    [2, 'BLOCKS'],
    [0, 'BLOCK'],
    [8, '0'],
    [2, 'BOLT'],
    ...at(10, 1, 0),
    ...line(1),
    [0, 'ENDBLK'],
    [0, 'ENDSEC'],
  ];
  const insert = entity('INSERT', [[2, 'BOLT'], ...at(10, 10, 20), [41, 2], [42, 2], [50, 90]]);
  const [from, to] = firstLine(readDxf(dxf(insert, blocks)));
  expect(from?.map((value) => Math.round(value))).toEqual([10, 20]);
  expect(to?.map((value) => Math.round(value))).toEqual([6, 22]);
});

test('reads texts without format codes, and counts what it does not draw', () => {
  const text = entity('TEXT', [...at(10, 1, 1), [40, 2.5], [1, 'Ø 12 図'], [50, 30]]);
  const multiline = entity('MTEXT', [...at(10, 0, 0), [40, 2], [1, '{\\fArial|b0;Steel}\\PS235']]);
  const drawing = readDxf(dxf([...text, ...multiline, ...entity('HATCH', [[2, 'ANSI31']])]));
  expect(drawing.texts).toMatchObject([
    { at: [1, 1], text: 'Ø 12 図', height: 2.5, degrees: 30 },
    { text: 'Steel S235', height: 2 },
  ]);
  expect(drawing.skipped).toEqual({ HATCH: 1 });
});

test.each(['', 'no drawing', 'AutoCAD Binary DXF\r\n\u001a'])('rejects %j with a message', (content) => {
  expect(() => readDxf(content)).toThrow(/damaged|Binary DXF/);
});

test('ends for a block that contains itself', () => {
  const insert = entity('INSERT', [[2, 'LOOP'], ...at(10, 1, 0)]);
  const blocks: Groups = [
    [0, 'SECTION'],
    [2, 'BLOCKS'],
    [0, 'BLOCK'],
    [8, '0'],
    [2, 'LOOP'],
    ...at(10, 0, 0),
    ...line(0),
    ...insert,
    [0, 'ENDBLK'],
    [0, 'ENDSEC'],
  ];
  expect(readDxf(dxf(insert, blocks)).lines).toHaveLength(8);
});
