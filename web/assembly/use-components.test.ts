import { expect, test } from 'vitest';
import { type ComponentVersion, resolveAmong } from './use-components.ts';

/** A version; with a label and an ordinal, a release. */
const version = (n: number, label?: string, ordinal = 0, obsolete = false): ComponentVersion => ({
  id: `ver_${n}`,
  n,
  thumbnailUrl: null,
  glb: null,
  measure: null,
  releasedAs: label === undefined ? null : { label, obsolete, revision: { ordinal } },
});

test('resolves an address without a suffix to the release with the highest ordinal, whatever its label is', () => {
  const changedScheme = [version(1, 'C', 3), version(2, '4', 4), version(3)];
  expect(resolveAmong(changedScheme, '')?.n).toBe(2);
  expect(resolveAmong([version(1, 'A', 1), version(2, 'B', 2, true)], '')?.n).toBe(1);
  expect(resolveAmong([version(1, 'A', 1, true), version(2, 'B', 2, true)], '')?.n).toBe(2);
  expect(resolveAmong([version(1), version(2)], '')?.n).toBe(2);
});

test('resolves suffixes to their version or revision', () => {
  const versions = [version(1, 'A', 1), version(2)];
  expect(['@v2', '@A', '@B'].map((suffix) => resolveAmong(versions, suffix)?.n)).toEqual([2, 1, undefined]);
});
