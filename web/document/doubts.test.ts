import { expect, test } from 'vitest';
import { doubtsOf } from './doubts.ts';

const used = (number: string, n: number, label: string | null = null, obsolete = false) => ({
  ...{ number, documentId: `doc ${number}` },
  resolution: { n, label, obsolete, versionId: `${number} ${n}` },
});

test('what is not released or obsolete is told, each version once; what is released, or nothing, is not', () => {
  const doubts = doubtsOf([
    ...[used('A', 1), used('B', 2, 'A'), used('C', 3, 'B', true), used('A', 1), used('A', 2)],
    { number: 'D', documentId: 'doc D', resolution: null },
  ]);
  expect(doubts.map(({ message }) => message)).toEqual([
    'A version 1 is not released.',
    'C revision B is obsolete.',
    'A version 2 is not released.',
  ]);
  expect(doubts[1]).toMatchObject({ documentId: 'doc C', versionId: 'C 3' });
});
