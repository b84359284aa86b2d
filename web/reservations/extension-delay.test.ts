import { expect, test } from 'vitest';
import { extensionDelay } from './extension-delay.ts';

test('extends after a third of the shortest remaining time, between 30 seconds and 5 minutes', () => {
  const now = Date.parse('2026-01-01T12:00:00Z');
  const delay = (...minutes: number[]) =>
    extensionDelay(
      minutes.map((remaining) => ({ expiresAt: new Date(now + remaining * 60_000).toISOString() })),
      now,
    ) / 60_000;
  expect([delay(6), delay(600, 3), delay(15), delay(480), delay(1), delay(-5)]).toEqual([2, 1, 5, 5, 0.5, 0.5]);
});
