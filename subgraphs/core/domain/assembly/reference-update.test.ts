import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseAddress } from './address.ts';
import { type Candidates, type Resolution, resolveAddress } from './reference.ts';
import { planUpdates, updatedAddress, withOtherDocument } from './reference-update.ts';

const at = (n: number, label: string | null = null, obsolete = false): Resolution => ({
  as: label ? 'revision' : 'version',
  label,
  n,
  versionId: `ver_${n}`,
  obsolete,
  pinned: true,
});
const PRT = 'pdm://documents/prt-1';
const NEWEST = { release: at(5, 'B'), version: at(7) };

describe('updatedAddress', () => {
  test.each([
    ['updates a label to the newest label', `${PRT}@A`, at(2, 'A'), undefined, `${PRT}@B`],
    ['updates a version to the newest version', `${PRT}@v2`, at(2, 'A'), undefined, `${PRT}@v7`],
    ['updates a label to a version if requested', `${PRT}@A`, at(2, 'A'), 'version', `${PRT}@v7`],
    ['updates a version to a release if requested', `${PRT}@v2`, at(2), 'release', `${PRT}@B`],
    ['never updates to an older version', `${PRT}@v6`, at(6), 'release', 'up_to_date'],
    ['updates an obsolete release to an older one', `${PRT}@C`, at(6, 'C', true), 'release', `${PRT}@B`],
    ['keeps the newest release', `${PRT}@B`, at(5, 'B'), 'release', 'up_to_date'],
    ['keeps the version of the newest release', `${PRT}@v5`, at(5, 'B'), 'release', 'up_to_date'],
    ['updates an unresolved label', `${PRT}@Z`, null, undefined, `${PRT}@B`],
    ['keeps a floating address', PRT, at(5, 'B'), 'version', 'floating'],
  ] as const)('%s', (_title, location, current, to, expected) => {
    const update = updatedAddress({ location, current, newest: NEWEST }, to);
    expect('to' in update ? update.to : update.unchanged).toBe(expected);
  });

  test('returns why there is no target', () => {
    const occurrence = { location: `${PRT}@A`, current: at(2) };
    expect(updatedAddress({ ...occurrence, newest: { release: null, version: at(7) } })).toEqual({
      unchanged: 'no_release',
    });
    expect(updatedAddress({ ...occurrence, newest: { release: null, version: null } }, 'version')).toEqual({
      unchanged: 'no_version',
    });
    expect(updatedAddress({ ...occurrence, newest: null })).toEqual({ unchanged: 'no_such_document' });
  });

  test('plans updates of the given references, or of all', () => {
    const occurrences = [1, 2, 3].map((i) => ({
      path: `/${i}`,
      location: i === 3 ? PRT : `${PRT}@A`,
      current: at(2, 'A'),
      newest: NEWEST,
    }));
    expect(planUpdates(occurrences, new Set(['/2', '/3']))).toMatchObject({
      changed: [{ path: '/2' }],
      unchanged: [{ path: '/3', code: 'floating' }],
    });
    expect(planUpdates(occurrences, null).changed.map(({ path }) => path)).toEqual(['/1', '/2']);
    expect(planUpdates(occurrences, new Set())).toEqual({ changed: [], unchanged: [] });
  });

  test('is idempotent', () => {
    const history = fc.record({
      versions: fc.integer({ min: 1, max: 6 }),
      released: fc.uniqueArray(fc.record({ n: fc.integer({ min: 1, max: 6 }), obsolete: fc.boolean() }), {
        selector: ({ n }) => n,
      }),
    });
    const address = fc.oneof(
      fc.integer({ min: 1, max: 8 }).map((n) => `v${n}`),
      fc.constantFrom('A', 'B', 'C', 'Z'),
    );
    fc.assert(
      fc.property(
        history,
        address,
        fc.constantFrom('release', 'version', undefined),
        ({ versions, released }, state, to) => {
          const candidates: Candidates = {
            document: { _id: 'doc_1', number: 'PRT-1', name: '', kind: 'model' },
            versions: Array.from({ length: versions }, (_, i) => ({ _id: `ver_${i + 1}`, n: i + 1 })),
            revisions: released
              .filter(({ n }) => n <= versions)
              .map(({ n, obsolete }, i) => ({
                _id: `rev_${i}`,
                versionId: `ver_${n}`,
                versionN: n,
                label: 'ABCDEF'[i]!,
                ordinal: i + 1,
                obsolete,
              })),
          };
          const resolve = (location: string) => resolveAddress(parseAddress(location), candidates).resolution;
          const unsuffixed = resolve(PRT);
          const newest = {
            release: unsuffixed?.as === 'revision' && !unsuffixed.obsolete ? unsuffixed : null,
            version: resolve(`${PRT}@v${versions}`),
          };
          const first = updatedAddress(
            { location: `${PRT}@${state}`, current: resolve(`${PRT}@${state}`), newest },
            to,
          );
          if (!('to' in first)) return;
          expect(resolve(first.to)).not.toBeNull();
          expect(updatedAddress({ location: first.to, current: resolve(first.to), newest }, to)).toEqual({
            unchanged: 'up_to_date',
          });
        },
      ),
    );
  });
});

test.each([
  ['pdm://documents/PRT-1', at(5, 'B'), 'pdm://documents/PRT-2'],
  ['pdm://documents/doc_1', at(5, 'B'), 'pdm://documents/doc_2'],
  ['pdm://documents/PRT-1@A', at(5, 'B'), 'pdm://documents/PRT-2@B'],
  ['pdm://documents/doc_1@v3', at(5), 'pdm://documents/doc_2@v5'],
  ['pdm://documents/PRT-1@A', null, 'pdm://documents/PRT-2'],
])('replaces the document of %s', (location, newest, expected) => {
  expect(withOtherDocument(location, { _id: 'doc_2', number: 'PRT-2' }, newest)).toBe(expected);
});
