import fc from 'fast-check';
import { BSON, ObjectId } from 'mongodb';
import { expect, test } from 'vitest';
import { readRecord } from './read-records.ts';

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('doc_1', 'Grüße', '\0', '螺钉 M6', 'a'.repeat(300)),
);
const common = fc.oneof(
  text,
  fc.integer(),
  fc.double({ noNaN: true }),
  fc.boolean(),
  fc.constant(null),
  fc.maxSafeInteger(),
);
const rare = fc.oneof(
  fc.date({ noInvalidDate: true }),
  fc.constant(new ObjectId('65f0c0ffee00000000000001')),
  fc.uint8Array(),
  fc.constant(/^a/i),
);
const name = fc
  .oneof(fc.constantFrom('_id', 'versionId', 'frozen', 'größe', '__proto__', '$ref', '$id'), fc.string())
  .map((fieldName) => fieldName.replaceAll('\0', ''));
const records = (leaf: fc.Arbitrary<unknown>) =>
  fc.letrec<{ value: unknown; record: Record<string, unknown> }>((tie) => ({
    value: fc.oneof({ maxDepth: 3 }, leaf, fc.array(tie('value'), { maxLength: 12 }), tie('record')),
    record: fc.dictionary(name, tie('value'), { maxKeys: 6, noNullPrototype: true }),
  })).record;

test.each([
  ['of the common types', records(common)],
  ['of any type', records(fc.oneof(common, rare))],
])('decodes a record %s like the driver', (_, record) => {
  fc.assert(
    fc.property(record, (value) => {
      const bytes = BSON.serialize(value);
      expect(readRecord(bytes)).toEqual(BSON.deserialize(bytes));
    }),
  );
});

test('rejects bytes that are not a record', () => {
  const whole = BSON.serialize({ name: 'Bolt', at: { line: 3 } });
  fc.assert(
    fc.property(fc.integer({ min: 0, max: whole.length - 1 }), (length) => {
      expect(() => readRecord(whole.slice(0, length))).toThrow();
    }),
  );
  for (const length of [-1, 0, 2 ** 31 - 1]) {
    const wrong = Buffer.from(whole);
    wrong.writeInt32LE(length, 4 + 'xname.'.length); // the length of the string
    expect(() => readRecord(wrong)).toThrow();
  }
});
