import { expect, test } from 'vitest';
import { DomainError } from '../errors.ts';
import {
  assertLabelUnused,
  assertReleasable,
  childWarnings,
  type FrozenChild,
  RELEASE_TRANSITIONS,
  type ReleaseAction,
  type ReleaseState,
  releaseStateAfter,
} from './release.ts';

const child = (number: string, revision: FrozenChild['revision']): FrozenChild => ({
  documentId: `doc_${number}`,
  number,
  versionId: `ver_${number}`,
  n: 3,
  revision,
});
const refused = (code: string, details: object = {}) =>
  expect.objectContaining({ code, details: expect.objectContaining(details) });

const REVISION = { _id: 'rev_1', label: 'B', obsolete: false };
const inState: Record<ReleaseState, Parameters<typeof releaseStateAfter>[1]> = {
  draft: { versionId: 'ver_1', n: null, revision: null },
  version: { versionId: 'ver_1', n: 3, revision: null },
  released: { versionId: 'ver_1', n: 3, revision: REVISION },
  obsolete: { versionId: 'ver_1', n: 3, revision: { ...REVISION, obsolete: true } },
};
const ACTIONS = Object.keys(RELEASE_TRANSITIONS) as ReleaseAction[];
const STATES = Object.keys(inState) as ReleaseState[];

test.each(ACTIONS.flatMap((action) => STATES.map((state) => [action, state] as const)))(
  'follows the transition table for %s in state %s',
  (action, state) => {
    const { from, to }: { from: readonly ReleaseState[]; to: ReleaseState } = RELEASE_TRANSITIONS[action];
    if (from.includes(state)) expect(releaseStateAfter(action, inState[state])).toBe(to);
    else expect(() => releaseStateAfter(action, inState[state])).toThrow(DomainError);
  },
);

test('reports the error code with the version, revision and label', () => {
  expect(() => releaseStateAfter('release', inState.draft)).toThrow(refused('not_a_version', { versionId: 'ver_1' }));
  const released = refused('already_released', { versionId: 'ver_1', revisionId: 'rev_1', label: 'B' });
  for (const state of ['released', 'obsolete'] as const)
    expect(() => releaseStateAfter('release', inState[state])).toThrow(released);
  expect(() => releaseStateAfter('obsolete', inState.obsolete)).toThrow(
    refused('already_obsolete', { revisionId: 'rev_1' }),
  );
  for (const action of ['obsolete', 'take_back'] as const)
    for (const state of ['draft', 'version'] as const)
      expect(() => releaseStateAfter(action, inState[state])).toThrow(refused('not_found'));
});

test('warns once about each unreleased or obsolete child, and rejects them under the strict policy', () => {
  const released = child('PRT-1', { label: 'A', obsolete: false });
  const unreleased = child('PRT-2', null);
  const obsolete = child('PRT-3', { label: 'B', obsolete: true });
  expect(childWarnings([released])).toEqual([]);
  const warnings = childWarnings([unreleased, released, obsolete, unreleased]);
  expect(warnings.map(({ code, number, label }) => [code, number, label])).toEqual([
    ['child_not_released', 'PRT-2', null],
    ['child_obsolete', 'PRT-3', 'B'],
  ]);
  expect(() => assertReleasable(warnings, 'warn')).not.toThrow();
  expect(() => assertReleasable([], 'strict')).not.toThrow();
  expect(() => assertReleasable(warnings, 'strict')).toThrow(refused('children_not_released', { children: warnings }));
});

test('rejects taking back a label that is in use and lists the users', () => {
  const revision = { _id: 'rev_1', label: 'A', obsolete: false };
  const users = Array.from({ length: 7 }, (_, i) => ({
    documentId: `doc_${i}`,
    number: `ASM-${i}`,
    versionId: `ver_${i}`,
    type: 'draft' as const,
    location: 'pdm://documents/PRT-1@A',
  }));
  expect(() => assertLabelUnused(revision, [])).not.toThrow();
  expect(() => assertLabelUnused(revision, users)).toThrow(refused('revision_in_use', { users }));
  expect(() => assertLabelUnused(revision, users)).toThrow('ASM-4 and 2 more');
});
