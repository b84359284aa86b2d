import { expect, test } from 'vitest';
import { DomainError } from '../errors.ts';
import {
  acceptable,
  childWarnings,
  type FrozenChild,
  RELEASE_TRANSITIONS,
  type ReleaseDeed,
  type ReleaseState,
  stateAfter,
  unusedLabel,
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
const inState: Record<ReleaseState, Parameters<typeof stateAfter>[1]> = {
  draft: { versionId: 'ver_1', n: null, revision: null },
  version: { versionId: 'ver_1', n: 3, revision: null },
  released: { versionId: 'ver_1', n: 3, revision: REVISION },
  obsolete: { versionId: 'ver_1', n: 3, revision: { ...REVISION, obsolete: true } },
};
const DEEDS = Object.keys(RELEASE_TRANSITIONS) as ReleaseDeed[];
const STATES = Object.keys(inState) as ReleaseState[];

test.each(DEEDS.flatMap((deed) => STATES.map((state) => [deed, state] as const)))('%s of what is %s', (deed, state) => {
  const { from, to }: { from: readonly ReleaseState[]; to: ReleaseState } = RELEASE_TRANSITIONS[deed];
  if (from.includes(state)) expect(stateAfter(deed, inState[state])).toBe(to);
  else expect(() => stateAfter(deed, inState[state])).toThrow(DomainError);
});

test('the refusals have the codes of the catalogue and say what stands in the way', () => {
  expect(() => stateAfter('release', inState.draft)).toThrow(refused('not_a_version', { versionId: 'ver_1' }));
  const released = refused('already_released', { versionId: 'ver_1', revisionId: 'rev_1', label: 'B' });
  for (const state of ['released', 'obsolete'] as const)
    expect(() => stateAfter('release', inState[state])).toThrow(released);
  expect(() => stateAfter('obsolete', inState.obsolete)).toThrow(refused('already_obsolete', { revisionId: 'rev_1' }));
  for (const deed of ['obsolete', 'take-back'] as const)
    for (const state of ['draft', 'version'] as const)
      expect(() => stateAfter(deed, inState[state])).toThrow(refused('not_found'));
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
