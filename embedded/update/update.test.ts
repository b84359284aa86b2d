import { Double, Int32, Long } from 'bson';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyUpdate, plainDoc } from '../test/arbitrary-commands.ts';
import { type Doc, encode } from '../values/bson.ts';
import { compileUpdate, type UpdateOptions } from './update.ts';

const int = (n: number) => new Int32(n);
const now = new Date('2024-05-06T07:08:09Z');
const apply = (update: Doc | Doc[], doc: Doc, options: Partial<UpdateOptions> = {}) =>
  compileUpdate(update, { now, ...options }).apply(doc);
const refusal = (code: number) => expect.objectContaining({ code });

test('never modifies the original document', () => {
  fc.assert(
    fc.property(anyUpdate, plainDoc, (update, fields) => {
      const doc = { _id: int(1), ...fields };
      const before = Buffer.from(encode(doc));
      try {
        apply(update, doc);
      } catch (error) {
        expect(error).toMatchObject({ code: expect.any(Number) });
      }
      expect(Buffer.from(encode(doc))).toEqual(before);
    }),
    { numRuns: 1500 },
  );
});

test('returns the same document when an idempotent update runs again', () => {
  const idempotent = new Set(['$set', '$unset', '$max']);
  const updates = anyUpdate.filter((update) =>
    Object.keys(update).every((key) => idempotent.has(key) || !key.startsWith('$')),
  );
  fc.assert(
    fc.property(updates, plainDoc, (update, fields) => {
      const { apply: once } = compileUpdateOr(update);
      let first: Doc;
      try {
        first = once({ _id: int(1), ...fields });
      } catch (error) {
        expect(error).toMatchObject({ code: expect.any(Number) });
        return;
      }
      const second = once(first);
      expect(Buffer.from(encode(second))).toEqual(Buffer.from(encode(first)));
    }),
    { numRuns: 1500 },
  );
});

// Returns an update without effect if the update is invalid.
function compileUpdateOr(update: Doc) {
  try {
    return compileUpdate(update, { now });
  } catch (error) {
    expect(error).toMatchObject({ code: expect.any(Number) });
    return { apply: (doc: Doc) => doc };
  }
}

describe('fields', () => {
  test('$set creates missing parents and rejects a parent that is not a document', () => {
    expect(apply({ $set: { 'a.b.c': int(1) } }, {})).toEqual({ a: { b: { c: int(1) } } });
    expect(() => apply({ $set: { 'a.b': int(1) } }, { a: int(1) })).toThrow(refusal(28));
    expect(() => apply({ $set: { 'a.b': int(1) } }, { a: null })).toThrow(refusal(28));
    expect(() => apply({ $set: { 'a.x': int(1) } }, { a: [] })).toThrow(refusal(28));
    expect(apply({ $set: { 'a.2': int(1) } }, { a: [int(0)] })).toEqual({ a: [int(0), null, int(1)] });
  });

  test('$set of an identical value returns the same document, of another number type does not', () => {
    const doc = { _id: int(1), a: int(1), b: { c: [int(2)] } };
    expect(apply({ $set: { a: int(1), 'b.c': [int(2)] }, $unset: { x: '' } }, doc)).toBe(doc);
    expect(apply({ $set: { a: new Double(1) } }, doc).a).toEqual(new Double(1));
  });

  test('adds new fields in the order of their names', () => {
    expect(Object.keys(apply({ $set: { d: int(1), b: int(1) }, $inc: { c: int(1) } }, { z: int(1) }))).toEqual([
      'z',
      'b',
      'c',
      'd',
    ]);
  });

  test('$unset replaces an array element with null and ignores a path through a scalar', () => {
    expect(apply({ $unset: { 'a.0': '' } }, { a: [int(1), int(2)] })).toEqual({ a: [null, int(2)] });
    const doc = { a: int(1) };
    expect(apply({ $unset: { 'a.b': '' } }, doc)).toBe(doc);
  });

  test('$setOnInsert applies only to an insert', () => {
    const update = compileUpdate({ $setOnInsert: { a: int(1) } }, { now });
    expect(update.apply({})).toEqual({});
    expect(update.apply({}, true)).toEqual({ a: int(1) });
  });
});

describe('numbers', () => {
  test('$inc keeps the wider type; an Int32 that overflows becomes a Long', () => {
    expect(apply({ $inc: { a: int(1) } }, { a: int(2) }).a).toEqual(int(3));
    expect(apply({ $inc: { a: int(1) } }, { a: int(2147483647) }).a).toEqual(Long.fromNumber(2147483648));
    expect(apply({ $inc: { a: new Double(0.5) } }, { a: int(1) }).a).toEqual(new Double(1.5));
    expect(apply({ $inc: { a: int(1) } }, { a: Long.fromNumber(1) }).a).toEqual(Long.fromNumber(2));
  });

  test('$inc sets a missing field', () => {
    expect(apply({ $inc: { a: Long.fromNumber(5) } }, {}).a).toEqual(Long.fromNumber(5));
  });

  test('rejects an overflow of a Long and a value that is not a number', () => {
    expect(() => apply({ $inc: { a: int(1) } }, { a: Long.MAX_VALUE })).toThrow(refusal(2));
    expect(() => apply({ $inc: { a: int(1) } }, { a: 'x' })).toThrow(refusal(14));
    expect(() => apply({ $inc: { a: 'x' } }, {})).toThrow(refusal(14));
    expect(() => apply({ $inc: { a: int(1) } }, { a: null })).toThrow(refusal(14));
  });

  test('$max compares across types', () => {
    expect(apply({ $max: { a: 'x' } }, { a: int(1) }).a).toBe('x');
    expect(apply({ $max: { a: int(5) } }, { a: int(7) }).a).toEqual(int(7));
  });
});

describe('arrays', () => {
  test('refuses a positional $', () => {
    expect(() => apply({ $set: { 'a.$.b': int(9) } }, {})).toThrow(refusal(238));
  });

  test('$[] changes all elements and $[name] the selected ones', () => {
    expect(apply({ $inc: { 'a.$[]': int(1) } }, { a: [int(1), int(2)] })).toEqual({ a: [int(2), int(3)] });
    const arrayFilters = [{ 'x.n': { $gt: int(1) } }];
    expect(apply({ $set: { 'a.$[x].m': true } }, { a: [{ n: int(1) }, { n: int(2) }] }, { arrayFilters })).toEqual({
      a: [{ n: int(1) }, { n: int(2), m: true }],
    });
    expect(() => apply({ $set: { 'a.$[]': int(1) } }, {})).toThrow(refusal(2));
  });

  test('rejects unused array filters and undefined identifiers', () => {
    expect(() => apply({ $set: { 'a.$[y]': int(1) } }, {}, { arrayFilters: [{ x: int(1) }] })).toThrow(refusal(2));
    expect(() => apply({ $set: { a: int(1) } }, {}, { arrayFilters: [{ x: int(1) }] })).toThrow(refusal(9));
    expect(() => apply({ $set: { 'a.$[x]': int(1) } }, {}, { arrayFilters: [{ x: int(1) }, { x: int(2) }] })).toThrow(
      refusal(9),
    );
  });

  test('rejects two changes of the same element by array filters', () => {
    const update = { $set: { 'a.$[x]': int(1) }, $inc: { 'a.$[y]': int(1) } };
    expect(() => apply(update, { a: [int(5)] }, { arrayFilters: [{ x: int(5) }, { y: int(5) }] })).toThrow(refusal(40));
  });
});

describe('errors', () => {
  test('rejects overlapping paths', () => {
    expect(() => apply({ $set: { a: int(1), 'a.b': int(1) } }, {})).toThrow(refusal(40));
    expect(() => apply({ $set: { a: int(1) }, $inc: { a: int(1) } }, {})).toThrow(refusal(40));
    expect(apply({ $set: { a: int(1), 'a-b': int(1), ab: int(1) } }, {})).toEqual({
      a: int(1),
      'a-b': int(1),
      ab: int(1),
    });
  });

  test('rejects a change of _id', () => {
    expect(() => apply({ $set: { _id: int(2) } }, { _id: int(1) })).toThrow(refusal(66));
    expect(() => apply({ $unset: { _id: '' } }, { _id: int(1) })).toThrow(refusal(66));
    expect(() => apply({ _id: int(2) }, { _id: int(1) })).toThrow(refusal(66));
    expect(() => apply([{ $set: { _id: int(2) } }], { _id: int(1) })).toThrow(refusal(66));
    expect(apply({ $set: { _id: int(1) } }, { _id: int(1) })).toEqual({ _id: int(1) });
  });

  test('rejects empty names, unknown operators and dollar fields', () => {
    expect(() => apply({ $set: { 'a..b': int(1) } }, {})).toThrow(refusal(56));
    expect(() => apply({ $foo: { a: int(1) } }, {})).toThrow(refusal(238));
    expect(() => apply({ $set: { $x: int(1) } }, {})).toThrow(refusal(52));
    expect(() => apply({ a: int(1), $set: { b: int(1) } }, {})).toThrow(refusal(52));
    expect(() => apply({ $bit: { a: { and: int(1) } } }, {})).toThrow(refusal(238));
    expect(() => apply([{ $group: { _id: null } }], {})).toThrow(refusal(72));
  });
});

describe('replacement, pipeline and upsert', () => {
  test('an upsert with a replacement takes only the _id from the filter', () => {
    const { upsertBase } = compileUpdate({ b: int(1) }, { now });
    expect(() => upsertBase({ _id: int(1), '_id.a': int(2) })).toThrow(refusal(54));
  });

  test('keeps _id first in a replacement', () => {
    expect(Object.keys(apply({ b: int(1) }, { _id: int(1), a: int(1) }))).toEqual(['_id', 'b']);
    expect(compileUpdate({ b: int(1) }, { now }).replacement).toBe(true);
  });

  test('computes a pipeline update from the document and let variables', () => {
    expect(
      apply(
        [{ $set: { a: { $add: ['$a', '$$x'] } } }, { $unset: 'b' }],
        { _id: int(1), a: int(1), b: int(2) },
        { let: { x: int(4) } },
      ),
    ).toEqual({ _id: int(1), a: int(5) });
    expect(apply([{ $replaceWith: { c: '$a' } }], { _id: int(1), a: int(1) })).toEqual({ _id: int(1), c: int(1) });
  });

  test('starts an upsert with the equalities of the filter, _id first', () => {
    const { upsertBase } = compileUpdate({ $set: { x: int(1) } }, { now });
    expect(
      upsertBase({
        'a.b': int(1),
        c: { $gt: int(1) },
        $and: [{ d: { $eq: int(2) } }],
        $or: [{ e: int(3) }],
        f: { $in: [int(4)] },
        _id: int(9),
      }),
    ).toEqual({
      _id: int(9),
      a: { b: int(1) },
      d: int(2),
      e: int(3),
      f: int(4),
    });
    expect(() => upsertBase({ a: int(1), $and: [{ a: int(2) }] })).toThrow(refusal(54));
    expect(() => upsertBase({ a: { b: int(1) }, 'a.b': int(2) })).toThrow(refusal(54));
    expect(compileUpdate({ x: int(1) }, { now }).upsertBase({ _id: int(1), a: int(2) })).toEqual({ _id: int(1) });
  });
});
