import { expect, test } from 'vitest';
import { timesToKeep } from './backup-retention.ts';

const at = (text: string) => new Date(`${text}:00Z`);
const kept = (times: string[], retention: Parameters<typeof timesToKeep>[1]) =>
  timesToKeep(times.map(at), retention).map((time) => time.toISOString().slice(0, 16));

test('keeps all backups of the last 24 hours, and the newest of each earlier day', () => {
  const times = ['2026-03-10T06:00', '2026-03-10T18:00', '2026-03-11T05:00', '2026-03-11T06:00', '2026-03-12T05:00'];
  expect(kept(times, { daily: 3, weekly: 0, monthly: 0 })).toEqual([
    '2026-03-12T05:00',
    '2026-03-11T06:00',
    '2026-03-10T18:00',
  ]);
  expect(kept(times.slice(0, 4), { daily: 0, weekly: 0, monthly: 0 })).toEqual([
    '2026-03-11T06:00',
    '2026-03-11T05:00',
    '2026-03-10T18:00',
  ]);
});

test('keeps the newest backup of weeks that start on Monday, and of months', () => {
  // 2026-03-01 and 2026-03-08 are Sundays.
  const times = ['2026-01-31T01:00', '2026-02-28T01:00', '2026-03-01T01:00', '2026-03-02T01:00', '2026-03-08T01:00'];
  expect(kept(times, { daily: 1, weekly: 2, monthly: 0 })).toEqual(['2026-03-08T01:00', '2026-03-01T01:00']);
  expect(kept(times, { daily: 0, weekly: 0, monthly: 3 })).toEqual([
    '2026-03-08T01:00',
    '2026-02-28T01:00',
    '2026-01-31T01:00',
  ]);
});

test('deletes nothing because of time without backups', () => {
  const times = ['2025-01-01T01:00', '2025-06-01T01:00', '2026-03-08T01:00'];
  expect(kept(times, { daily: 3, weekly: 1, monthly: 1 })).toEqual(times.toReversed());
  expect(kept([], { daily: 1, weekly: 1, monthly: 1 })).toEqual([]);
});
