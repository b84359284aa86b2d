import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseAddress } from '../assembly/address.ts';
import { type Candidates, resolveAddress } from '../assembly/reference.ts';
import { candidatesAfter, outdatedChanges, requestedAction, addressChanges } from './release-impact.ts';

type Release = { n: number; label: string; obsolete?: boolean };
const known = (versions: number, releases: Release[]): Candidates => ({
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
const told = (now: Candidates, deed: Parameters<typeof candidatesAfter>[1], n: number) => {
  const then = candidatesAfter(now, deed, `ver_${n}`, next);
  const moved = addressChanges(now, then, `ver_${n}`).map(({ at, shift: { from, to } }) => [
    at.as === 'newest' ? 'bare' : at.as === 'version' ? `v${at.n}` : at.label,
    from ? (from.obsolete ? `v${from.n} obsolete` : `v${from.n}`) : null,
    to ? (to.obsolete ? `v${to.n} obsolete` : `v${to.n}`) : null,
  ]);
  return { moved, aged: Object.fromEntries(outdatedChanges(now, then)) };
};

describe('what a deed would change', () => {
  test('a first release pulls bare addresses to it, also back from a newer version', () => {
    expect(told(known(3, []), 'release', 2)).toEqual({
      moved: [
        ['bare', 'v3', 'v2'],
        ['N', null, 'v2'],
      ],
      aged: { ver_2: 'no_longer_outdated' },
    });
  });
  test('a later release makes what is frozen to the one before outdated, and what stands between them', () => {
    expect(told(known(4, [{ n: 2, label: 'A' }]), 'release', 4)).toEqual({
      moved: [
        ['bare', 'v2', 'v4'],
        ['N', null, 'v4'],
      ],
      aged: { ver_2: 'becomes_outdated', ver_3: 'becomes_outdated' },
    });
  });
  test('the release of what bare addresses mean already moves nobody', () => {
    expect(told(known(2, []), 'release', 2)).toEqual({ moved: [['N', null, 'v2']], aged: {} });
  });
  test('obsolete: bare addresses fall back, the label and the number stay and say so', () => {
    expect(
      told(
        known(3, [
          { n: 1, label: 'A' },
          { n: 3, label: 'B' },
        ]),
        'obsolete',
        3,
      ),
    ).toEqual({
      moved: [
        ['bare', 'v3', 'v1'],
        ['B', 'v3', 'v3 obsolete'],
        ['v3', 'v3', 'v3 obsolete'],
      ],
      aged: { ver_1: 'no_longer_outdated', ver_2: 'no_longer_outdated', ver_3: 'becomes_outdated' },
    });
  });
  test('taken back: the label means nothing any more', () => {
    expect(
      told(
        known(3, [
          { n: 1, label: 'A' },
          { n: 2, label: 'B' },
        ]),
        'take_back',
        2,
      ),
    ).toEqual({
      moved: [
        ['bare', 'v2', 'v1'],
        ['B', 'v2', null],
      ],
      aged: { ver_1: 'no_longer_outdated' },
    });
  });
  test('is told for every address whose meaning differs, and for no other', () => {
    const history = fc.record({
      versions: fc.integer({ min: 1, max: 5 }),
      releases: fc.uniqueArray(fc.record({ n: fc.integer({ min: 1, max: 5 }), obsolete: fc.boolean() }), {
        selector: ({ n }) => n,
        maxLength: 4,
      }),
      n: fc.integer({ min: 1, max: 5 }),
    });
    fc.assert(
      fc.property(history, fc.constantFrom('release', 'obsolete', 'take_back'), ({ versions, releases, n }, deed) => {
        fc.pre(n <= versions);
        const now = known(
          versions,
          releases.filter((release) => release.n <= versions).map((release, i) => ({ ...release, label: 'ABCD'[i]! })),
        );
        const release = now.revisions.find(({ versionN }) => versionN === n);
        fc.pre(
          deed === 'release' ? !release : deed === 'obsolete' ? release?.obsolete === false : release !== undefined,
        );
        const then = candidatesAfter(now, deed, `ver_${n}`, next);
        const expected = ['', '@A', '@B', '@C', '@D', '@N', '@v1', '@v2', '@v3', '@v4', '@v5'].filter((at) => {
          const address = parseAddress(`pdm://documents/doc_1${at}`);
          const [from, to] = [now, then].map((each) => resolveAddress(address, each).resolution);
          return from?.versionId !== to?.versionId || from?.obsolete !== to?.obsolete;
        });
        const at = addressChanges(now, then, `ver_${n}`).map(({ at }) =>
          at.as === 'newest' ? '' : at.as === 'version' ? `@v${at.n}` : `@${at.label}`,
        );
        expect(at.sort()).toEqual(expected.sort());
      }),
    );
  });
});

test('the deed that is asked about is the next one, unless another is named', () => {
  expect([undefined, { obsolete: false }, { obsolete: true }].map((release) => requestedAction(null, release))).toEqual(
    ['release', 'obsolete', 'take_back'],
  );
  expect(requestedAction('take_back', undefined)).toBe('take_back');
});

test('a deed that the version itself forbids is refused', () => {
  const now = known(2, [{ n: 1, label: 'A', obsolete: true }]);
  expect(() => candidatesAfter(now, 'release', 'ver_1', next)).toThrow(/already/);
  expect(() => candidatesAfter(now, 'release', 'ver_draft', next)).toThrow(/draft cannot be released/);
  expect(() => candidatesAfter(now, 'obsolete', 'ver_1', next)).toThrow(/obsolete already/);
  expect(() => candidatesAfter(now, 'take_back', 'ver_2', next)).toThrow(/no release of version/);
});
