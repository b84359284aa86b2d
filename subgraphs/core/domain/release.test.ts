import { expect, test } from 'vitest';
import { acceptable, childWarnings, currentRevision, type FrozenChild, releasable, unusedLabel } from './release.ts';

const child = (number: string, revision: FrozenChild['revision']): FrozenChild => ({
  documentId: `doc_${number}`,
  number,
  versionId: `ver_${number}`,
  n: 3,
  revision,
});
const refused = (code: string, details: object = {}) => expect.objectContaining({ code, details: expect.objectContaining(details) });

test('only a version that is not released is released', () => {
  const version = { _id: 'ver_1', type: 'version' as const, n: 3, releasedAs: null };
  expect(() => releasable(version)).not.toThrow();
  expect(() => releasable({ ...version, releasedAs: { revisionId: 'rev_1', label: 'B' } })).toThrow(refused('already_released', { label: 'B' }));
  expect(() => releasable({ ...version, type: 'draft', n: null })).toThrow(refused('not_a_version'));
});

test('a revision becomes obsolete once', () => {
  const revision = { _id: 'rev_1', label: 'A', obsolete: false };
  expect(() => currentRevision(revision)).not.toThrow();
  expect(() => currentRevision({ ...revision, obsolete: true })).toThrow(refused('already_obsolete'));
});

test('every child that is not released, or obsolete, is warned about once; a strict service refuses them', () => {
  const good = child('PRT-1', { label: 'A', obsolete: false });
  const unreleased = child('PRT-2', null);
  const obsolete = child('PRT-3', { label: 'B', obsolete: true });
  expect(childWarnings([good])).toEqual([]);
  const warnings = childWarnings([unreleased, good, obsolete, unreleased]);
  expect(warnings.map(({ code, number, label }) => [code, number, label])).toEqual([
    ['child_not_released', 'PRT-2', null],
    ['child_obsolete', 'PRT-3', 'B'],
  ]);
  expect(() => acceptable(warnings, 'warn')).not.toThrow();
  expect(() => acceptable([], 'strict')).not.toThrow();
  expect(() => acceptable(warnings, 'strict')).toThrow(refused('children_not_released', { children: warnings }));
});

test('a label that others name is not taken back, and they are listed', () => {
  const revision = { _id: 'rev_1', label: 'A', obsolete: false };
  const users = Array.from({ length: 7 }, (_, i) => ({
    ...{ documentId: `doc_${i}`, number: `ASM-${i}`, versionId: `ver_${i}` },
    ...{ type: 'draft' as const, location: 'pdm://documents/PRT-1@A' },
  }));
  expect(() => unusedLabel(revision, [])).not.toThrow();
  expect(() => unusedLabel(revision, users)).toThrow(refused('revision_in_use', { users }));
  expect(() => unusedLabel(revision, users)).toThrow('ASM-4 and 2 more');
});
