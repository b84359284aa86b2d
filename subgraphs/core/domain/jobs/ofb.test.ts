import { expect, test } from 'vitest';
import { isOfb, ofbHeader } from './ofb.ts';

const file = (header: string, end = 'ro\x02\x01\n') =>
  Buffer.from(`\x01\x02classcad\x02\x01\n${header}\x01\x02hdend\x02\x01 … ${end}`, 'utf8');

test('an OFB file is known by its first bytes, and its header is read', () => {
  const bytes = file('ContentType=OFB\nVersion = 3\nKernelInfo=SMLib 8.1\nTimeStamp=2024-05-06 07:08:09\nStateId=1\n');
  expect(isOfb(bytes)).toBe(true);
  expect(ofbHeader(bytes)).toEqual({
    version: '3',
    kernel: 'SMLib 8.1',
    savedAt: '2024-05-06 07:08:09',
    complete: true,
  });
});

test('one that is cut off says so; one whose header does not end has none', () => {
  expect(ofbHeader(file('Version=3\n', ''))).toMatchObject({ version: '3', kernel: null, complete: false });
  expect(ofbHeader(Buffer.from('\x01\x02classcad\x02\x01 Version=3'))).toBeNull();
});

test('anything else is not OFB', () => {
  for (const text of ['', 'ISO-10303-21;', 'classcad', '\x01\x02classcad'])
    expect([isOfb(Buffer.from(text)), ofbHeader(Buffer.from(text))]).toEqual([false, null]);
});
