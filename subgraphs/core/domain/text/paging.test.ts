import fc from 'fast-check';
import { expect, test } from 'vitest';
import { page, pageSize, decodeCursor, encodeCursor } from './paging.ts';

test('a page holds 1 to 200 records, 50 when nothing is said', () => {
  expect(pageSize(undefined)).toBe(50);
  expect(pageSize(null)).toBe(50);
  expect(pageSize(200)).toBe(200);
  for (const limit of [0, 201, -1, 1.5, Number.NaN])
    expect(() => pageSize(limit)).toThrow(expect.objectContaining({ code: 'validation_failed' }));
});

test('a cursor comes back as the place it was made of', () => {
  fc.assert(
    fc.property(fc.string(), fc.array(fc.oneof(fc.string(), fc.integer())), (list, place) => {
      expect(decodeCursor(list, encodeCursor(list, place))).toEqual(place);
    }),
  );
});

test('a cursor of another list, or no cursor at all, is refused', () => {
  for (const cursor of [
    encodeCursor('other', ['x']),
    '',
    'x',
    '€',
    Buffer.from('{}').toString('base64url'),
    Buffer.from('["list",{}]').toString('base64url'),
  ])
    expect(() => decodeCursor('list', cursor)).toThrow(expect.objectContaining({ code: 'bad_cursor' }));
});

test('the last page has no cursor', () => {
  expect(page([1, 2], 2, (n) => [n], 'l').nextCursor).toBeNull();
  expect(page([1, 2, 3], 2, (n) => [n], 'l')).toEqual({ items: [1, 2], nextCursor: encodeCursor('l', [2]) });
});
