import { expect, test } from 'vitest';
import { currentRevision, formatUntil, shownVersionId, versionLabel } from './version-label.ts';

const workspace = (draftId: string, more: { archived?: boolean; heldBy?: string } = {}) => ({
  draftId,
  archived: more.archived ?? false,
  reservation: more.heldBy ? { by: { id: more.heldBy } } : null,
});

test('selects the version of the URL, else the draft the user holds, else the first active draft', () => {
  const workspaces = [
    workspace('main', { heldBy: 'ada' }),
    workspace('old', { archived: true, heldBy: 'me' }),
    workspace('idea', { heldBy: 'me' }),
  ];
  expect(shownVersionId(workspaces, 'v1', 'me')).toBe('v1');
  expect(shownVersionId(workspaces, null, 'me')).toBe('idea');
  expect(shownVersionId(workspaces, null, 'bob')).toBe('main');
  expect(shownVersionId([workspace('main', { archived: true }), workspace('idea')], null, undefined)).toBe('idea');
  expect(shownVersionId([workspace('main', { archived: true })], null, 'me')).toBe('main');
  expect(shownVersionId([], null, 'me')).toBeNull();
});

test('labels versions with number, custom name and revision', () => {
  const version = { id: 'v', type: 'version' as const, n: 3, name: 'V3', releasedAs: null };
  expect(versionLabel(version)).toBe('v3');
  expect(versionLabel({ ...version, name: 'as received', releasedAs: { label: 'B', obsolete: true } })).toBe(
    'v3 “as received” · Rev B (obsolete)',
  );
  expect(versionLabel({ ...version, type: 'draft', n: null })).toBe('Draft');
});

test('selects the newest revision that is not obsolete, else the newest', () => {
  const rev = (label: string, obsolete = false) => ({ label, obsolete });
  expect(currentRevision([rev('C', true), rev('B'), rev('A')])?.label).toBe('B');
  expect(currentRevision([rev('B', true), rev('A', true)])?.label).toBe('B');
  expect(currentRevision([])).toBeUndefined();
});

test('includes the date of an expiry on another day', () => {
  const now = new Date(2026, 2, 2, 12);
  expect(formatUntil(new Date(2026, 2, 2, 13).toISOString(), now)).not.toMatch(/2026/);
  expect(formatUntil(new Date(2026, 2, 3, 13).toISOString(), now)).toMatch(/2026/);
});
