import { Int32 } from 'bson';
import { expect, test } from 'vitest';
import { startTimeSlice } from '../protocol/time-slice.ts';
import { type Doc, encode } from '../values/bson.ts';
import { compileCollation } from '../values/compare.ts';
import { type Hits, toUndecodedHit } from './execute.ts';
import { sortHits } from './sorting.ts';

const int = (n: number) => new Int32(n);
const refusal = (code: number) => expect.objectContaining({ code });

function order(docs: Doc[], spec: { [path: string]: 1 | -1 }, collation?: Doc): number[] {
  function* hits(): Hits {
    for (const [record, doc] of docs.entries()) yield toUndecodedHit({ record, bytes: encode(doc) });
  }
  const sorted = sortHits(hits(), spec, 0, startTimeSlice(), compileCollation(collation));
  return [...sorted].flatMap((hit) => hit?.record ?? []);
}

test('sorts by the smallest or largest array element, a missing field as null and an empty array first', () => {
  const docs = [{ a: [int(3), int(9)] }, { a: int(5) }, { a: [] }, {}, { a: null }];
  expect(order(docs, { a: 1 })).toEqual([2, 3, 4, 0, 1]);
  expect(order(docs, { a: -1 })).toEqual([0, 1, 3, 4, 2]);
});

test('sorts by dotted paths in arrays of documents', () => {
  const docs = [{ a: [{ b: int(7) }, { b: int(2) }] }, { a: { b: int(4) } }];
  expect(order(docs, { 'a.b': 1 })).toEqual([0, 1]);
  expect(order(docs, { 'a.b': -1 })).toEqual([0, 1]);
});

test('sorts by the first combination of values if several paths share an array', () => {
  const docs = [
    {
      a: [
        { x: int(1), y: int(9) },
        { x: int(2), y: int(1) },
      ],
    },
    { a: [{ x: int(1), y: int(5) }] },
    { a: { x: int(1), y: int(7) } },
  ];
  for (const collation of [undefined, { locale: 'en' }]) {
    expect(order(docs, { 'a.x': 1, 'a.y': 1 }, collation)).toEqual([1, 2, 0]);
    expect(order(docs, { 'a.x': -1, 'a.y': 1 }, collation)).toEqual([0, 1, 2]);
  }
});

test('rejects a sort by two arrays', () => {
  const doc = { a: [int(1), { b: [int(2)] }], c: [int(3)] };
  expect(order([{ ...doc, c: int(3) }], { a: 1, c: 1 })).toEqual([0]);
  expect(() => order([doc], { a: 1, c: 1 })).toThrow(refusal(2));
  expect(() => order([doc], { 'a.1.b': 1, 'a.b': 1 })).toThrow(refusal(238));
});
