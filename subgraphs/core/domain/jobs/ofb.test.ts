import { expect, test } from 'vitest';
import { isOfb, parseOfbHeader } from './ofb.ts';

const file = (header: string, end = 'ro\x02\x01\n') =>
  Buffer.from(`\x01\x02classcad\x02\x01\n${header}\x01\x02hdend\x02\x01 … ${end}`, 'utf8');

test('recognizes OFB files and parses their header', () => {
  const bytes = file('ContentType=OFB\nVersion = 3\nKernelInfo=SMLib 8.1\nTimeStamp=2024-05-06 07:08:09\nStateId=1\n');
  expect(isOfb(bytes)).toBe(true);
  expect(parseOfbHeader(bytes)).toEqual({
    version: '3',
    kernel: 'SMLib 8.1',
    savedAt: '2024-05-06 07:08:09',
    complete: true,
  });
});

test('marks truncated files as incomplete and returns null for an incomplete header', () => {
  expect(parseOfbHeader(file('Version=3\n', ''))).toMatchObject({ version: '3', kernel: null, complete: false });
  expect(parseOfbHeader(Buffer.from('\x01\x02classcad\x02\x01 Version=3'))).toBeNull();
});

test('rejects other files', () => {
  for (const text of ['', 'ISO-10303-21;', 'classcad', '\x01\x02classcad'])
    expect([isOfb(Buffer.from(text)), parseOfbHeader(Buffer.from(text))]).toEqual([false, null]);
});
