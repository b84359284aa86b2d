import { expect, test } from 'vitest';
import { generateToken, hashToken, tokenExpiry, tokenMatches, tokenPrefix } from './token.ts';

test('generates tokens in the format that secret scanners recognize', () => {
  for (let i = 0; i < 200; i++) expect(generateToken()).toMatch(/^pdm_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/);
});

test('generates unique tokens', () => {
  expect(new Set(Array.from({ length: 1000 }, generateToken)).size).toBe(1000);
});

test('matches a token with its own hash only', () => {
  const token = generateToken();
  expect(tokenMatches(token, hashToken(token))).toBe(true);
  expect(tokenMatches(generateToken(), hashToken(token))).toBe(false);
  expect(tokenMatches('', undefined)).toBe(false);
  expect(tokenMatches(token, undefined)).toBe(false);
});

test('returns no prefix for other texts', () => {
  expect(tokenPrefix(generateToken())).toHaveLength(8);
  for (const text of ['', 'pdm_', 'pdm_abc_def', 'Bearer x', `pdm_12345678_${'ü'.repeat(38)}`])
    expect(tokenPrefix(text)).toBeNull();
});

test('expires after 90 days, 365 for workers, the requested number of days, or never', () => {
  const now = new Date('2026-01-01T00:00:00Z');
  const expiry = (...args: [Parameters<typeof tokenExpiry>[0], number | null | undefined]) =>
    tokenExpiry(...args, now)
      ?.toISOString()
      .slice(0, 10);
  expect([expiry('viewer', undefined), expiry('admin', undefined), expiry('worker', undefined)]).toEqual([
    '2026-04-01',
    '2026-04-01',
    '2027-01-01',
  ]);
  expect([expiry('worker', 1), expiry('editor', 3650), expiry('editor', null)]).toEqual([
    '2026-01-02',
    '2035-12-30',
    undefined,
  ]);
  for (const days of [0, -1, 1.5, 3651, Number.NaN])
    expect(() => expiry('editor', days)).toThrow(expect.objectContaining({ code: 'validation_failed' }));
});
