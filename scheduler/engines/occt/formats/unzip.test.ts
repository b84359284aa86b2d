import { deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { archive } from '../fcstd/test-documents.ts';
import { JobFailure } from '../job-failure.ts';
import { unzip } from './unzip.ts';

const namesIn = (bytes: Buffer) => [...unzip(bytes, /./, 1e6).keys()];

/** Replaces bytes of an archive, each written as a Latin-1 character. */
const patched = (bytes: Buffer, from: string, to: string) =>
  Buffer.from(bytes.toString('latin1').replaceAll(from, to), 'latin1');

function failureOf(bytes: Buffer): string {
  try {
    unzip(bytes, /./, 1e6);
  } catch (error) {
    if (error instanceof JobFailure) return `${error.code}: ${error.message}`;
    throw error;
  }
  return 'accepted';
}

describe('names in an archive', () => {
  test('are UTF-8 with the flag for it', () => expect(namesIn(archive({ 'größe.stp': 'x' }))).toEqual(['größe.stp']));

  test('are UTF-8 without the flag if they can be, as those of macOS', () => {
    const bytes = patched(archive({ 'gro####e.stp': 'x' }), '####', Buffer.from('\u0308\u00df').toString('latin1'));
    expect(namesIn(bytes)).toEqual(['gro\u0308\u00dfe.stp']);
  });

  test('are in code page 437 otherwise, as those of Windows', () =>
    expect(namesIn(patched(archive({ 'gr##e.stp': 'x' }), '##', '\x94\xe1'))).toEqual(['größe.stp']));
});

test('reads an archive in the form for large ones', () => {
  const data = deflateRawSync(Buffer.from('content'));
  const numbers = (...values: [bytes: 2 | 4 | 8, value: number][]) =>
    Buffer.concat(
      values.map(([bytes, value]) => {
        const buffer = Buffer.alloc(bytes);
        if (bytes === 8) buffer.writeBigUInt64LE(BigInt(value));
        else buffer.writeUIntLE(value, 0, bytes);
        return buffer;
      }),
    );
  const name = Buffer.from('a.txt');
  const MAX = 0xffffffff;
  // Version, flags, method, time, date, checksum, sizes, and the lengths of the name and the extra field.
  const head = (extra: number) =>
    numbers([2, 45], [2, 0], [2, 8], [2, 0], [2, 0], [4, 0], [4, MAX], [4, MAX], [2, name.length], [2, extra]);
  const other = numbers([2, 0x5455], [2, 1]);
  const local = Buffer.concat([Buffer.from('PK\x03\x04'), head(0), name, data]);
  const extra = Buffer.concat([other, Buffer.alloc(1), numbers([2, 1], [2, 24], [8, 7], [8, data.length], [8, 0])]);
  const rest = numbers([2, 0], [2, 0], [2, 0], [4, 0], [4, MAX]);
  const entry = Buffer.concat([Buffer.from('PK\x01\x02'), numbers([2, 45]), head(extra.length), rest, name, extra]);
  const end64 = Buffer.concat([
    Buffer.from('PK\x06\x06'),
    numbers([8, 44], [2, 45], [2, 45], [4, 0], [4, 0], [8, 1], [8, 1], [8, entry.length], [8, local.length]),
  ]);
  const locator = Buffer.concat([Buffer.from('PK\x06\x07'), numbers([4, 0], [8, local.length + entry.length], [4, 1])]);
  const end = Buffer.concat([
    Buffer.from('PK\x05\x06'),
    numbers([2, 0], [2, 0], [2, 0xffff], [2, 0xffff], [4, MAX], [4, MAX], [2, 0]),
  ]);
  const bytes = Buffer.concat([local, entry, end64, locator, end]);
  expect([...unzip(bytes, /./, 100)]).toEqual([['a.txt', Buffer.from('content')]]);
  expect(failureOf(bytes.subarray(0, -20))).toMatch(/^truncated/);
});

describe('an archive is refused', () => {
  const bytes = archive({ 'a.txt': 'content '.repeat(100) });
  const central = bytes.indexOf('PK\x01\x02', 0, 'latin1');
  const changed = (offset: number, value: number) => {
    const copy = Buffer.from(bytes);
    copy.writeUInt16LE(value, central + offset);
    return copy;
  };

  test.each([
    ['if it is encrypted', changed(8, 1), /^unsupported_format: the ZIP archive is encrypted/],
    ['for another compression', changed(10, 14), /^unsupported_format: .* compression method 14;/],
    ['for a position outside of it', changed(44, 9), /^truncated: /],
    ['for damaged data', changed(20, 3), /^truncated: /],
    ['without its end', bytes.subarray(0, -30), /^truncated: /],
  ])('%s', (_, damaged, expected) => expect(failureOf(damaged)).toMatch(expected));

  test('without leaving its buffer, whatever is damaged', () => {
    for (let at = 0; at < bytes.length; at++)
      for (const value of [0x00, 0x7f, 0xff]) {
        const damaged = Buffer.from(bytes);
        damaged[at] = value;
        expect(failureOf(damaged)).toMatch(/^(accepted|truncated|unsupported_format|too_large)/);
      }
  });
});
