import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deriveLinkKey, linkExpiry, signPath, verifySignedPath } from './signed-link.ts';

const key = deriveLinkKey(Buffer.alloc(32, 7));
const now = new Date('2026-03-01T10:07:00Z');
const PATH = '/api/v1/content/0123';
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000);
const partsOf = (link: string) => {
  const { pathname, searchParams } = new URL(link, 'http://pdm');
  return { path: pathname, query: Object.fromEntries(searchParams) };
};

test('keeps a link valid for 60 to 75 minutes, whatever the file name', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 0, max: 4_000_000_000 }), (name, second) => {
      const signedAt = new Date(second * 1000);
      const { path, query } = partsOf(signPath(key, PATH, name, linkExpiry(signedAt)));
      const at = (seconds: number) => verifySignedPath(key, path, query, new Date((second + seconds) * 1000));
      expect([at(0), at(3_599), at(4_501)]).toEqual(['valid', 'valid', 'expired']);
    }),
  );
});

test('rejects a link with any change, and one signed with another key', () => {
  const { path, query } = partsOf(signPath(key, PATH, 'bracket.stp', linkExpiry(now)));
  const changed: [string, Record<string, unknown>][] = [
    [`${path}4`, query],
    [path, { ...query, name: 'other.stp' }],
    [path, { ...query, expires: String(Number(query.expires) + 1) }],
    [path, { ...query, signature: `${query.signature?.slice(0, -1)}A` }],
    [path, { ...query, signature: '' }],
    [path, { ...query, signature: ['a', 'b'] }],
    [path, {}],
  ];
  for (const [at, changedQuery] of changed) expect(verifySignedPath(key, at, changedQuery, now)).toBe('invalid');
  expect(verifySignedPath(deriveLinkKey(Buffer.alloc(32, 8)), path, query, now)).toBe('invalid');
  expect(verifySignedPath(key, path, query, now)).toBe('valid');
});

test('returns the same link for a quarter of an hour', () => {
  expect(linkExpiry(later(400))).toEqual(linkExpiry(now));
  expect(linkExpiry(later(900))).not.toEqual(linkExpiry(now));
});
