import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseAddress } from '../assembly/address.ts';
import { type Candidates, resolveAddress } from '../assembly/reference.ts';
import { addressChanges, candidatesAfter, outdatedChanges, requestedAction } from './release-impact.ts';

type Release = { n: number; label: string; obsolete?: boolean };
const candidates = (versions: number, releases: Release[]): Candidates => ({
  document: { _id: 'doc_1', number: 'PRT-1', name: '', kind: 'model' },
  versions: Array.from({ length: versions }, (_, i) => ({ _id: `ver_${i + 1}`, n: i + 1 })),
  revisions: releases.map(({ n, label, obsolete = false }, i) => ({
    _id: `rev_${label}`,
    versionId: `ver_${n}`,
    versionN: n,
    label,
    ordinal: i + 1,
    obsolete,
  })),
});
const next = { label: 'N', ordinal: 99 };
const impact = (before: Candidates, action: Parameters<typeof candidatesAfter>[1], n: number) => {
  const after = candidatesAfter(before, action, `ver_${n}`, next);
  const moved = addressChanges(before, after, `ver_${n}`).map(({ at, change: { from, to } }) => [
    at.as === 'newest' ? 'unsuffixed' : at.as === 'version' ? `v${at.n}` : at.label,
    from ? (from.obsolete ? `v${from.n} obsolete` : `v${from.n}`) : null,
    to ? (to.obsolete ? `v${to.n} obsolete` : `v${to.n}`) : null,
  ]);
  return { moved, outdated: Object.fromEntries(outdatedChanges(before, after)) };
};

describe('the impact of a release action', () => {
  test('resolves unsuffixed addresses to the first release, even from a newer version', () => {
    expect(impact(candidates(3, []), 'release', 2)).toEqual({
      moved: [
        ['unsuffixed', 'v3', 'v2'],
        ['N', null, 'v2'],
      ],
      outdated: { ver_2: 'no_longer_outdated' },
    });
  });
  test('marks the previous release and the versions after it as outdated by a later release', () => {
    expect(impact(candidates(4, [{ n: 2, label: 'A' }]), 'release', 4)).toEqual({
      moved: [
        ['unsuffixed', 'v2', 'v4'],
        ['N', null, 'v4'],
      ],
      outdated: { ver_2: 'becomes_outdated', ver_3: 'becomes_outdated' },
    });
  });
  test('moves no reference when unsuffixed addresses already resolve to the released version', () => {
    expect(impact(candidates(2, []), 'release', 2)).toEqual({ moved: [['N', null, 'v2']], outdated: {} });
  });
  test('falls back to the previous release when a revision becomes obsolete and marks its label and number', () => {
    expect(
      impact(
        candidates(3, [
          { n: 1, label: 'A' },
          { n: 3, label: 'B' },
        ]),
        'obsolete',
        3,
      ),
    ).toEqual({
      moved: [
        ['unsuffixed', 'v3', 'v1'],
        ['B', 'v3', 'v3 obsolete'],
        ['v3', 'v3', 'v3 obsolete'],
      ],
      outdated: { ver_1: 'no_longer_outdated', ver_2: 'no_longer_outdated', ver_3: 'becomes_outdated' },
    });
  });
  test('no longer resolves the label of a release that was taken back', () => {
    expect(
      impact(
        candidates(3, [
          { n: 1, label: 'A' },
          { n: 2, label: 'B' },
        ]),
        'take_back',
        2,
      ),
    ).toEqual({
      moved: [
        ['unsuffixed', 'v2', 'v1'],
        ['B', 'v2', null],
      ],
      outdated: { ver_1: 'no_longer_outdated' },
    });
  });
  test('lists exactly the addresses whose resolution differs', () => {
    const history = fc.record({
      versions: fc.integer({ min: 1, max: 5 }),
      releases: fc.uniqueArray(fc.record({ n: fc.integer({ min: 1, max: 5 }), obsolete: fc.boolean() }), {
        selector: ({ n }) => n,
        maxLength: 4,
      }),
      n: fc.integer({ min: 1, max: 5 }),
    });
    fc.assert(
      fc.property(history, fc.constantFrom('release', 'obsolete', 'take_back'), ({ versions, releases, n }, action) => {
        fc.pre(n <= versions);
        const before = candidates(
          versions,
          releases.filter((release) => release.n <= versions).map((release, i) => ({ ...release, label: 'ABCD'[i]! })),
        );
        const release = before.revisions.find(({ versionN }) => versionN === n);
        fc.pre(
          action === 'release' ? !release : action === 'obsolete' ? release?.obsolete === false : release !== undefined,
        );
        const after = candidatesAfter(before, action, `ver_${n}`, next);
        const expected = ['', '@A', '@B', '@C', '@D', '@N', '@v1', '@v2', '@v3', '@v4', '@v5'].filter((at) => {
          const address = parseAddress(`pdm://documents/doc_1${at}`);
          const [from, to] = [before, after].map((each) => resolveAddress(address, each).resolution);
          return from?.versionId !== to?.versionId || from?.obsolete !== to?.obsolete;
        });
        const at = addressChanges(before, after, `ver_${n}`).map(({ at }) =>
          at.as === 'newest' ? '' : at.as === 'version' ? `@v${at.n}` : `@${at.label}`,
        );
        expect(at.sort()).toEqual(expected.sort());
      }),
    );
  });
});

test('defaults to the next release action', () => {
  expect([undefined, { obsolete: false }, { obsolete: true }].map((release) => requestedAction(null, release))).toEqual(
    ['release', 'obsolete', 'take_back'],
  );
  expect(requestedAction('take_back', undefined)).toBe('take_back');
});

test('rejects an action that the state of the version forbids', () => {
  const before = candidates(2, [{ n: 1, label: 'A', obsolete: true }]);
  expect(() => candidatesAfter(before, 'release', 'ver_1', next)).toThrow(/already/);
  expect(() => candidatesAfter(before, 'release', 'ver_draft', next)).toThrow(/draft cannot be released/);
  expect(() => candidatesAfter(before, 'obsolete', 'ver_1', next)).toThrow(/already obsolete/);
  expect(() => candidatesAfter(before, 'take_back', 'ver_2', next)).toThrow(/no release of version/);
});
