import { isDeepStrictEqual } from 'node:util';
import { deserialize, ObjectId, serialize } from 'bson';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { linkInBson } from './audit-bson.ts';
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

test('the hash made of the stored bytes is that of the record, whatever it holds and in whatever order', () => {
  fc.assert(
    fc.property(records, fc.boolean(), (record, first) => {
      const bytes = serialize(first ? { ...links, ...record } : { ...record, ...links });
      expect(linkInBson(bytes)).toEqual({ ...links, mustBe: auditHash(HASH, deserialize(bytes)) });
    }),
    { numRuns: 300 },
  );
});

test('a record with a text of many kilobytes is hashed as any other', () => {
  const bytes = serialize({ ...links, changes: { code: { from: null, to: '\u0001'.repeat(100_000) } } });
  expect(linkInBson(bytes)?.mustBe).toBe(auditHash(HASH, deserialize(bytes)));
});

test('what only the long way can hash is left to it', () => {
  const { chain: _chain, ...unchained } = links;
  for (const record of [
    { ...links, x: new ObjectId() },
    { ...links, größe: 1 },
    { ...links, x: 2n ** 60n },
    unchained,
    { ...links, prevHash: 'x' },
  ])
    expect(linkInBson(serialize(record))).toBeNull();
});

test('bytes that are no whole document are no record, and no torn one passes for what it was', () => {
  const bytes = serialize({
    ...links,
    changes: { name: { from: null, to: 'Plate' }, main: { from: false, to: true } },
  });
  for (let length = 0; length < bytes.length; length++) expect(linkInBson(bytes.subarray(0, length))).toBeNull();
  const meaningOf = (read: Uint8Array) => {
    try {
      return deserialize(read);
    } catch {
      return null; // not a document any more
    }
  };
  const torn = fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)).map(([at, byte]) => bytes.with(at, byte));
  fc.assert(
    fc.property(torn, (read) => {
      if (!isDeepStrictEqual(meaningOf(read), meaningOf(bytes)))
        expect(linkInBson(read)).not.toEqual(linkInBson(bytes));
    }),
    { numRuns: 300 },
  );
});
