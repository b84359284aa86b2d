import { expect, test } from 'vitest';
import { generateToken, tokenExpiry, hashToken, tokenMatches, tokenPrefix } from './token.ts';

test('a token has the shape that secret scanners look for', () => {
  for (let i = 0; i < 200; i++) expect(generateToken()).toMatch(/^pdm_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/);
});

test('tokens do not repeat', () => {
  expect(new Set(Array.from({ length: 1000 }, generateToken)).size).toBe(1000);
});

test('a token matches its own hash only', () => {
  const token = generateToken();
  expect(tokenMatches(token, hashToken(token))).toBe(true);
  expect(tokenMatches(generateToken(), hashToken(token))).toBe(false);
  expect(tokenMatches('', undefined)).toBe(false);
  expect(tokenMatches(token, undefined)).toBe(false);
});

test('what is no token has no prefix', () => {
  expect(tokenPrefix(generateToken())).toHaveLength(8);
  for (const text of ['', 'pdm_', 'pdm_abc_def', 'Bearer x', `pdm_12345678_${'ü'.repeat(38)}`])
    expect(tokenPrefix(text)).toBeNull();
});

test('a token lasts 90 days, a worker’s a year, any as long as is said, and for ever only when that is said', () => {
  const now = new Date('2026-01-01T00:00:00Z');
  const lasts = (...given: [Parameters<typeof tokenExpiry>[0], number | null | undefined]) =>
    tokenExpiry(...given, now)
      ?.toISOString()
      .slice(0, 10);
  expect([lasts('viewer', undefined), lasts('admin', undefined), lasts('worker', undefined)]).toEqual([
    '2026-04-01',
    '2026-04-01',
    '2027-01-01',
  ]);
  expect([lasts('worker', 1), lasts('editor', 3650), lasts('editor', null)]).toEqual([
    '2026-01-02',
    '2035-12-30',
    undefined,
  ]);
  for (const days of [0, -1, 1.5, 3651, Number.NaN])
    expect(() => lasts('editor', days)).toThrow(expect.objectContaining({ code: 'validation_failed' }));
});
