import { expect, test } from 'vitest';
import { releaseWarnings } from './release-warnings.ts';

const reference = (number: string, n: number, label: string | null = null, obsolete = false) => ({
  number,
  documentId: `doc ${number}`,
  resolution: { n, label, obsolete, versionId: `${number} ${n}` },
});

test('warns once about each unreleased or obsolete version, and ignores released and unresolved references', () => {
  const warnings = releaseWarnings([
    reference('A', 1),
    reference('B', 2, 'A'),
    reference('C', 3, 'B', true),
    reference('A', 1),
    reference('A', 2),
    { number: 'D', documentId: 'doc D', resolution: null },
  ]);
  expect(warnings.map(({ message }) => message)).toEqual([
    'A version 1 is not released.',
    'C revision B is obsolete.',
    'A version 2 is not released.',
  ]);
  expect(warnings[1]).toMatchObject({ documentId: 'doc C', versionId: 'C 3' });
});
