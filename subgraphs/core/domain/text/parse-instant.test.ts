import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseInstant } from './parse-instant.ts';

test('parses any time with any offset', () => {
  const instants = fc.date({
    min: new Date('0001-01-02T00:00:00Z'),
    max: new Date('9999-12-30T00:00:00Z'),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(instants, fc.integer({ min: -23 * 60 - 59, max: 23 * 60 + 59 }), (instant, minutes) => {
      const local = new Date(instant.getTime() + minutes * 60_000).toISOString().slice(0, -1);
      const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60].map((part) =>
        String(part).padStart(2, '0'),
      );
      expect(parseInstant(`${local}${minutes < 0 ? '-' : '+'}${hours}:${rest}`)).toEqual(instant);
      expect(parseInstant(instant.toISOString().toLowerCase())).toEqual(instant);
    }),
  );
});

test('parses a date as its start in UTC', () => {
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
])('returns null for %j, which is not an exact time', (text) => expect(parseInstant(text)).toBeNull());
