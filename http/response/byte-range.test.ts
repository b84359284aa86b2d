import fc from 'fast-check';
import { expect, test } from 'vitest';
import { byteRange } from './byte-range.ts';

test('returns no empty range and none outside of the file', () => {
  const position = fc.oneof(fc.constant(''), fc.nat(30).map(String));
  fc.assert(
    fc.property(position, position, fc.nat(20), (first, last, size) => {
      const range = byteRange(`bytes=${first}-${last}`, size);
      if (range === null || range === 'unsatisfiable') return;
      expect(0 <= range.start && range.start < range.end && range.end <= size).toBe(true);
    }),
  );
});

test('an empty file satisfies no range', () => {
  expect(['bytes=0-', 'bytes=-1', 'bytes=0-0'].map((header) => byteRange(header, 0))).toEqual(
    Array(3).fill('unsatisfiable'),
  );
});

test('compares the unit case-insensitively', () => {
  expect(byteRange('Bytes=1-2', 9)).toEqual({ start: 1, end: 3 });
});

test('ignores anything but a single byte range', () => {
  for (const header of [
    undefined,
    '',
    'bytes',
    'bytes=',
    'bytes=-',
    'bytes=a-b',
    'bytes=1-2,3-4',
    'bytes=--1',
    'items=0-1',
  ])
    expect(byteRange(header, 9)).toBeNull();
});
