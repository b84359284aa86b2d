import { deflateRawSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { JobFailure } from '../job-failure.ts';
import { checkStep } from '../read-step.ts';
import { productTree, stepFile } from './test-files.ts';

const MAX = 1e6;
const step = stepFile(productTree(2, [[0, 1]]));

/** Writes a ZIP archive without checksums, which the reader does not need. */
function zip(files: Record<string, Buffer>, isCompressed = true): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(files)) {
    const data = isCompressed ? deflateRawSync(content) : content;
    const header = Buffer.alloc(26);
    header.writeUInt16LE(isCompressed ? 8 : 0, 4);
    header.writeUInt32LE(data.length, 14);
    header.writeUInt32LE(content.length, 18);
    header.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), header, Buffer.from(name), data]);
    const entry = Buffer.alloc(16);
    entry.writeUInt32LE(offset, 12);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\0\0'), header, entry.subarray(2), Buffer.from(name)]));
    parts.push(local);
    offset += local.length;
  }
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, ...directory, end]);
}

function failureOf(bytes: Buffer, maxBytes = MAX): string {
  try {
    checkStep(bytes, maxBytes);
  } catch (error) {
    if (error instanceof JobFailure) return `${error.code}: ${error.message}`;
    throw error;
  }
  return 'accepted';
}

describe('a compressed STEP file', () => {
  test.each([
    ['gzip', gzipSync(step)],
    ['a ZIP archive', zip({ 'readme.txt': Buffer.from('text'), 'parts/pump.STEP': step })],
    ['a ZIP archive without compression', zip({ 'pump.stp': step }, false)],
    ['a ZIP archive with files of macOS', zip({ '__MACOSX/._pump.stp': Buffer.from('x'), 'pump.stp': step })],
  ])('is read from %s', (_, bytes) => {
    const { unpacked, structure } = checkStep(bytes, MAX);
    expect(unpacked).toEqual(step);
    expect(structure.products.size).toBe(2);
  });

  test.each([
    ['a truncated gzip file', gzipSync(step).subarray(0, 60), /^truncated: the compressed file is damaged/],
    ['a truncated ZIP archive', zip({ 'a.stp': step }).subarray(0, 100), /^truncated: the compressed file is damaged/],
    ['an archive without STEP', zip({ 'a.txt': step }), /^unsupported_format: .* contains no STEP file/],
    [
      'an archive with two',
      zip({ 'a.stp': step, 'b.step': step }),
      /^unsupported_format: .* 2 STEP files \(a\.stp, b\.step\)/,
    ],
    ['an image', gzipSync(Buffer.from('\x89PNG', 'latin1')), /^unsupported_format: the file is PNG/],
  ])('is refused: %s', (_, bytes, failure) => expect(failureOf(bytes)).toMatch(failure));

  test('is inflated up to the limit only', () => {
    const bomb = Buffer.alloc(50e6, ' ');
    for (const bytes of [gzipSync(bomb), zip({ 'a.stp': bomb })])
      expect(failureOf(bytes)).toMatch(/^too_large: the file is larger than 1000000 bytes when decompressed/);
    expect(deflateRawSync(bomb).length).toBeLessThan(100_000);
  });
});

test('is read without its byte order mark', () => {
  const { file, unpacked } = checkStep(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), step]), MAX);
  expect(file.content.toString('latin1')).toMatch(/^ISO-10303-21;/);
  expect(unpacked).toBeNull();
});

test.each([
  ['other bytes', 'MD5: 0123456789abcdef\n', 21],
  ['another file', step.toString('latin1'), step.toString('latin1').trimEnd().length],
  ['blanks', '\0\0  \n', 0],
])('is read without %s after its end', (_, appended, trailingBytes) => {
  const { file } = checkStep(
    Buffer.concat([Buffer.from(step.toString('latin1').trimEnd()), Buffer.from(appended)]),
    MAX,
  );
  expect(file.trailingBytes).toBe(trailingBytes);
  expect(file.content.toString('latin1')).toMatch(/END-ISO-10303-21;$/);
});
