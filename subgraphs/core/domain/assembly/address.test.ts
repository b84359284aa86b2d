import { expect, test } from 'vitest';
import { formatAddress, parseAddress } from './address.ts';

test.each([
  ['pdm://documents/prt-000001', 'PRT-000001', { as: 'newest' }],
  ['pdm://documents/doc_01abc@B', 'doc_01abc', { as: 'revision', label: 'B' }],
  ['pdm://documents/A.1@v12', 'A.1', { as: 'version', n: 12 }],
  ['pdm://documents/A@v1a', 'A', { as: 'revision', label: 'v1a' }],
  ['pdm://documents/A@Rv1', 'A', { as: 'revision', label: 'Rv1' }],
  ['pdm://documents/A@V1', 'A', { as: 'revision', label: 'V1' }],
  ['pdm://documents/A@v', 'A', { as: 'revision', label: 'v' }],
])('parses %s', (text, target, at) => {
  expect(parseAddress(text)).toEqual({ target, at });
  expect(parseAddress(formatAddress({ target, at } as ReturnType<typeof parseAddress>))).toEqual({ target, at });
});

test.each([
  '',
  'PRT-1',
  'http://documents/A',
  ' pdm://documents/A',
  'see pdm://documents/A',
  'pdm://documents/',
  'pdm://documents/A@',
  'pdm://documents/A@B@C',
  'pdm://documents/A/B',
])('rejects %j', (text) => {
  expect(() => parseAddress(text)).toThrow(expect.objectContaining({ code: 'bad_address' }));
});
