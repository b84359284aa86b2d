import { isDeepStrictEqual } from 'node:util';
import { deserialize, ObjectId, serialize } from 'bson';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashedLinkFromBson } from './audit-bson.ts';
import { auditHash } from './audit-event.ts';

const HASH = 'ab'.repeat(32);
const links = { _id: 'aud_1', chain: 'doc_1', chainSeq: 3, prevHash: HASH, hash: HASH };

const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, true, false, -0, 2 ** 31, -(2 ** 40), 1e21, '', '"\\', 'Größe 部品 😀', '\u2028\u0001\n'),
    fc.string(),
    fc.string({ unit: 'grapheme' }),
    fc.integer(),
    fc.double(),
    fc.date({ noInvalidDate: true }),
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'ab', 'B', '10', '9', '_', 'from', 'to', 'hash', 'seq'), tie('any'), {
      maxKeys: 6,
    }),
  ),
})).any;
const records = fc.dictionary(
  fc.constantFrom('at', 'by', 'action', 'changes', 'summary', 'seq', 'ip', 'Z', '0', 'route'),
  value,
);

test('computes the same hash from the stored bytes as from the record', () => {
  fc.assert(
    fc.property(records, fc.boolean(), (record, linksFirst) => {
      const bytes = serialize(linksFirst ? { ...links, ...record } : { ...record, ...links });
      expect(hashedLinkFromBson(bytes)).toEqual({ ...links, expectedHash: auditHash(HASH, deserialize(bytes)) });
    }),
    { numRuns: 300 },
  );
});

test('hashes records with large texts', () => {
  const bytes = serialize({ ...links, changes: { code: { from: null, to: '\u0001'.repeat(100_000) } } });
  expect(hashedLinkFromBson(bytes)?.expectedHash).toBe(auditHash(HASH, deserialize(bytes)));
});

test('returns null for content that only auditHash supports', () => {
  const { chain: _chain, ...unchained } = links;
  for (const record of [
    { ...links, x: new ObjectId() },
    { ...links, größe: 1 },
    { ...links, x: 2n ** 60n },
    unchained,
    { ...links, prevHash: 'x' },
  ])
    expect(hashedLinkFromBson(serialize(record))).toBeNull();
});

test('returns null or another link for damaged bytes', () => {
  const bytes = serialize({
    ...links,
    changes: { name: { from: null, to: 'Plate' }, main: { from: false, to: true } },
  });
  for (let length = 0; length < bytes.length; length++)
    expect(hashedLinkFromBson(bytes.subarray(0, length))).toBeNull();
  const decode = (read: Uint8Array) => {
    try {
      return deserialize(read);
    } catch {
      return null; // no longer a document
    }
  };
  const damaged = fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)).map(([at, byte]) => bytes.with(at, byte));
  fc.assert(
    fc.property(damaged, (read) => {
      if (!isDeepStrictEqual(decode(read), decode(bytes)))
        expect(hashedLinkFromBson(read)).not.toEqual(hashedLinkFromBson(bytes));
    }),
    { numRuns: 300 },
  );
});
