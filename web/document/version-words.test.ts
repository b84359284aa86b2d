import { expect, test } from 'vitest';
import { newestRevision, shownVersion, untilWords, versionWords } from './version-words.ts';

const place = (draftId: string, more: { archived?: boolean; heldBy?: string } = {}) => ({
  draftId,
  archived: more.archived ?? false,
  reservation: more.heldBy ? { by: { id: more.heldBy } } : null,
});

test('a document opens with what the address names, then with the draft I hold, then with the first that is open', () => {
  const places = [
    place('main', { heldBy: 'ada' }),
    place('old', { archived: true, heldBy: 'me' }),
    place('idea', { heldBy: 'me' }),
  ];
  expect(shownVersion(places, 'v1', 'me')).toBe('v1');
  expect(shownVersion(places, null, 'me')).toBe('idea');
  expect(shownVersion(places, null, 'bob')).toBe('main');
  expect(shownVersion([place('main', { archived: true }), place('idea')], null, undefined)).toBe('idea');
  expect(shownVersion([place('main', { archived: true })], null, 'me')).toBe('main');
  expect(shownVersion([], null, 'me')).toBeNull();
});

test('versions are called by their number, a name of their own and their revision', () => {
  const version = { id: 'v', type: 'version' as const, n: 3, name: 'V3', releasedAs: null };
  expect(versionWords(version)).toBe('v3');
  expect(versionWords({ ...version, name: 'as received', releasedAs: { label: 'B', obsolete: true } })).toBe(
    'v3 “as received” · Rev B (obsolete)',
  );
  expect(versionWords({ ...version, type: 'draft', n: null })).toBe('Draft');
});

test('the revision that counts is the newest that is not obsolete', () => {
  const rev = (label: string, obsolete = false) => ({ label, obsolete });
  expect(newestRevision([rev('C', true), rev('B'), rev('A')])?.label).toBe('B');
  expect(newestRevision([rev('B', true), rev('A', true)])?.label).toBe('B');
  expect(newestRevision([])).toBeUndefined();
});

test('the end of a reservation names the day only when it is another one', () => {
  const now = new Date(2026, 2, 2, 12);
  expect(untilWords(new Date(2026, 2, 2, 13).toISOString(), now)).not.toMatch(/2026/);
  expect(untilWords(new Date(2026, 2, 3, 13).toISOString(), now)).toMatch(/2026/);
});
