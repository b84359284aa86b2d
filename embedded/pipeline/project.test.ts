import { Int32 } from 'bson';
import { describe, expect, test } from 'vitest';
import type { Doc } from '../values/bson.ts';
import { compileProjection, type ProjectionOptions } from './project.ts';

const int = (n: number) => new Int32(n);
const doc = { _id: int(1), a: [{ b: int(1), c: int(2) }, { b: int(3) }, int(4)], x: { y: int(1), z: int(2) }, s: 't' };
const project = (spec: Doc, options?: ProjectionOptions) => compileProjection(spec, options)(doc);
const refusal = (code: number) => expect.objectContaining({ code });

describe('inclusion and exclusion', () => {
  test('keeps _id and the field order in an inclusion, also in arrays', () => {
    expect(Object.keys(project({ s: true, x: int(1) }))).toEqual(['_id', 'x', 's']);
    expect(project({ 'a.b': int(1) })).toEqual({ _id: int(1), a: [{ b: int(1) }, { b: int(3) }] });
    expect(project({ _id: int(0), x: { y: int(1) } })).toEqual({ x: { y: int(1) } });
  });

  test('keeps all other values in an exclusion, including scalars in arrays', () => {
    expect(project({ 'a.b': int(0), x: false, s: int(0) })).toEqual({ _id: int(1), a: [{ c: int(2) }, {}, int(4)] });
    expect(project({ _id: int(0), a: int(0), x: int(0) })).toEqual({ s: 't' });
  });

  test('uses _id to choose between inclusion and exclusion when no other field does', () => {
    expect(project({ _id: int(1) })).toEqual({ _id: int(1) });
    expect(Object.keys(project({ _id: int(0) }))).toEqual(['a', 'x', 's']);
    expect(project({})).toBe(doc);
  });

  test('rejects mixed projections, colliding paths and empty paths', () => {
    expect(() => project({ a: int(1), s: int(0) })).toThrow(refusal(31254));
    expect(() => project({ a: int(0), s: int(1) })).toThrow(refusal(31253));
    expect(() => project({ a: int(1), 'a.b': int(1) })).toThrow(refusal(31249));
    expect(() => project({ 'a.b': int(1), a: int(1) })).toThrow(refusal(31250));
    expect(() => project({ a: {} })).toThrow(refusal(51270));
    expect(() => project({ $a: int(1) })).toThrow(refusal(16410));
  });
});

describe('operators', () => {
  test('$slice shortens an array and keeps the other fields', () => {
    expect(project({ a: { $slice: int(1) } })).toEqual({ ...doc, a: [doc.a[0]] });
    expect(project({ a: { $slice: int(-1) } }).a).toEqual([int(4)]);
    expect(project({ a: { $slice: [int(1), int(1)] }, s: int(1) })).toEqual({
      _id: int(1),
      a: [{ b: int(3) }],
      s: 't',
    });
  });

  test('computes expressions from the whole document and appends them', () => {
    expect(project({ n: { $add: ['$x.y', int(5)] }, s: int(1) })).toEqual({ _id: int(1), s: 't', n: int(6) });
    expect(project({ n: '$$v' }, { let: { v: { $literal: '$s' } } })).toEqual({ _id: int(1), n: '$s' });
    expect(project({ 'a.n': '$s', missing: '$nothing' })).toEqual({
      _id: int(1),
      a: [{ n: 't' }, { n: 't' }, { n: 't' }],
    });
    expect(() => project({ s: int(0), n: '$s' })).toThrow(refusal(31252));
  });
});
