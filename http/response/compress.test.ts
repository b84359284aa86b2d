import { expect, test } from 'vitest';
import { chooseEncoding } from './compress.ts';

test.each([
  ['gzip, deflate, br', 'br'],
  ['gzip', 'gzip'],
  ['br;q=0.5, gzip', 'gzip'],
  ['BR; q=0, gzip;q=0.1', 'gzip'],
  ['br;q=0, gzip;q=0', null],
  ['br;q=nonsense', null],
  ['identity', null],
  ['', null],
  [undefined, null],
])('chooses for Accept-Encoding %j: %s', (accepted, encoding) => {
  expect(chooseEncoding(accepted)).toBe(encoding);
});
