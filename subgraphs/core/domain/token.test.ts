import { expect, test } from 'vitest';
import { newToken, tokenHash, tokenMatches, tokenPrefix } from './token.ts';

test('a token has the shape that secret scanners look for', () => {
  for (let i = 0; i < 200; i++) expect(newToken()).toMatch(/^pdm_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/);
});

test('tokens do not repeat', () => {
  expect(new Set(Array.from({ length: 1000 }, newToken)).size).toBe(1000);
});

test('a token matches its own hash only', () => {
  const token = newToken();
  expect(tokenMatches(token, tokenHash(token))).toBe(true);
  expect(tokenMatches(newToken(), tokenHash(token))).toBe(false);
  expect(tokenMatches('', undefined)).toBe(false);
  expect(tokenMatches(token, undefined)).toBe(false);
});

test('what is no token has no prefix', () => {
  expect(tokenPrefix(newToken())).toHaveLength(8);
  for (const text of ['', 'pdm_', 'pdm_abc_def', 'Bearer x', `pdm_12345678_${'ü'.repeat(38)}`]) expect(tokenPrefix(text)).toBeNull();
});
