import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeCursor, encodeCursor, page, pageSize } from './paging.ts';

test('accepts page sizes from 1 to 200 and defaults to 50', () => {
  expect(pageSize(undefined)).toBe(50);
  expect(pageSize(null)).toBe(50);
  expect(pageSize(200)).toBe(200);
  for (const limit of [0, 201, -1, 1.5, Number.NaN])
    expect(() => pageSize(limit)).toThrow(expect.objectContaining({ code: 'validation_failed' }));
});

test('decodes a cursor to its position', () => {
  fc.assert(
    fc.property(fc.string(), fc.array(fc.oneof(fc.string(), fc.integer())), (list, position) => {
      expect(decodeCursor(list, encodeCursor(list, position))).toEqual(position);
    }),
  );
});

test('rejects cursors of another list and invalid cursors', () => {
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

test('returns no cursor on the last page', () => {
  expect(page([1, 2], 2, (n) => [n], 'l').nextCursor).toBeNull();
  expect(page([1, 2, 3], 2, (n) => [n], 'l')).toEqual({ items: [1, 2], nextCursor: encodeCursor('l', [2]) });
});
