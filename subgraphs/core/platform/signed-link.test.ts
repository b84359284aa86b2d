import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkSigned, linkKey, signedPath } from './signed-link.ts';

const key = linkKey(Buffer.alloc(32, 7));
const now = new Date('2026-03-01T10:07:00Z');
const PATH = '/api/v1/content/0123';
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000);
const partsOf = (link: string) => {
  const { pathname, searchParams } = new URL(link, 'http://pdm');
  return { path: pathname, query: Object.fromEntries(searchParams) };
};

test('a link is good for an hour at least and an hour and a quarter at most, whatever the name of its file', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 0, max: 4_000_000_000 }), (name, second) => {
      const made = new Date(second * 1000);
      const { path, query } = partsOf(signedPath(key, PATH, name, made));
      const at = (seconds: number) => checkSigned(key, path, query, new Date((second + seconds) * 1000));
      expect([at(0), at(3_599), at(4_501)]).toEqual(['good', 'good', 'expired']);
    }),
  );
});

test('whatever is changed in a link, it is forged; also under another key', () => {
  const { path, query } = partsOf(signedPath(key, PATH, 'bracket.stp', now));
  const changed: [string, Record<string, unknown>][] = [
    [`${path}4`, query],
    [path, { ...query, name: 'other.stp' }],
    [path, { ...query, expires: String(Number(query.expires) + 1) }],
    [path, { ...query, signature: `${query.signature?.slice(0, -1)}A` }],
    [path, { ...query, signature: '' }],
    [path, { ...query, signature: ['a', 'b'] }],
    [path, {}],
  ];
  for (const [at, given] of changed) expect(checkSigned(key, at, given, now)).toBe('forged');
  expect(checkSigned(linkKey(Buffer.alloc(32, 8)), path, query, now)).toBe('forged');
  expect(checkSigned(key, path, query, now)).toBe('good');
});

test('a link stays the same for a quarter of an hour', () => {
  expect(signedPath(key, PATH, 'a', later(400))).toBe(signedPath(key, PATH, 'a', now));
  expect(signedPath(key, PATH, 'a', later(900))).not.toBe(signedPath(key, PATH, 'a', now));
});
