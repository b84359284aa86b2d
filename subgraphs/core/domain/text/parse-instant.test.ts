import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseInstant } from './parse-instant.ts';

test('every moment is read from what it is written as, whatever its offset', () => {
  const moments = fc.date({
    min: new Date('0001-01-02T00:00:00Z'),
    max: new Date('9999-12-30T00:00:00Z'),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(moments, fc.integer({ min: -23 * 60 - 59, max: 23 * 60 + 59 }), (moment, minutes) => {
      const there = new Date(moment.getTime() + minutes * 60_000).toISOString().slice(0, -1);
      const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60].map((part) =>
        String(part).padStart(2, '0'),
      );
      expect(parseInstant(`${there}${minutes < 0 ? '-' : '+'}${hours}:${rest}`)).toEqual(moment);
      expect(parseInstant(moment.toISOString().toLowerCase())).toEqual(moment);
    }),
  );
});

test('a day begins in UTC', () => {
  expect(parseInstant('2024-02-29')).toEqual(new Date('2024-02-29T00:00:00Z'));
});

test.each([
  '',
  '2026',
  '1',
  'March 7',
  '2026-11-22T10:00:00',
  '2026-11-22T10:00Z',
  '2026-02-29',
  '2026-13-01T00:00:00Z',
  '2026-11-22T24:00:00Z',
  '2026-11-22T10:00:00+99:00',
])('what leaves the moment open, or names none, is none: %s', (text) => expect(parseInstant(text)).toBeNull());
