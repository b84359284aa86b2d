import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ArchiveError, fitsArchive, isSafePath, readArchive, writeArchive } from './code-archive.ts';

const segment = fc.string({
  unit: fc.constantFrom('a', 'B', '7', '-', '_', '.', ' ', 'ö', '部'),
  minLength: 1,
  maxLength: 40,
});
const path = fc
  .array(segment, { minLength: 1, maxLength: 6 })
  .map((segments) => segments.join('/'))
  .filter((text) => isSafePath(text) && fitsArchive(text));
const files = fc.uniqueArray(fc.record({ path, bytes: fc.uint8Array({ maxLength: 1500 }) }), {
  selector: (file) => file.path,
  maxLength: 12,
});
const MANY = { maxFiles: 5_000 };

test('returns the written files in sorted order', () => {
  fc.assert(
    fc.property(files, (tree) => {
      const archive = writeArchive(tree);
      const sorted = [...tree].sort((a, b) => (a.path < b.path ? -1 : 1));
      expect(readArchive(archive, MANY).map((file) => [file.path, [...file.bytes]])).toEqual(
        sorted.map((file) => [file.path, [...file.bytes]]),
      );
      expect(writeArchive([...tree].reverse()).equals(archive)).toBe(true);
    }),
  );
});

test('writes archives that tar can list', () => {
  const archive = writeArchive([
    { path: 'rack.mjs', bytes: Buffer.from('one') },
    { path: `${'long/'.repeat(25)}name.mjs`, bytes: Buffer.from('two') },
  ]);
  const listed = execFileSync('tar', ['-tf', '-'], { input: archive, encoding: 'utf8' });
  expect(listed.trim().split('\n')).toEqual([`${'long/'.repeat(25)}name.mjs`, 'rack.mjs']);
});

test('rejects changed headers and truncated archives', () => {
  const files = [{ path: 'a.mjs', bytes: Buffer.from('abc') }];
  const archive = writeArchive(files);
  let rejected = 0;
  fc.assert(
    fc.property(fc.nat(511), fc.integer({ min: 1, max: 255 }), (at, by) => {
      const changed = Buffer.from(archive);
      changed[at] = (changed[at]! + by) % 256;
      try {
        expect(readArchive(changed, MANY)).toEqual(files);
      } catch (error) {
        if (!(error instanceof ArchiveError)) throw error;
        rejected++;
      }
    }),
  );
  expect(rejected).toBeGreaterThan(90);
  expect(() => readArchive(archive.subarray(0, 512), MANY)).toThrow('truncated');
  expect(() => readArchive(archive.subarray(0, 1024), MANY)).toThrow('the end of the archive is missing');
});

test('rejects links, unsafe paths, duplicates and too many files', () => {
  const archiveOf = (name: string) => writeArchive([{ path: name, bytes: Buffer.from('x') }]);
  for (const name of ['/etc/passwd', '../x', 'a/../b', 'a//b', 'a\\b', './a', 'a\nb'])
    expect(() => readArchive(archiveOf(name), MANY)).toThrow('unsafe path');
  const duplicated = Buffer.concat([archiveOf('a').subarray(0, 1024), archiveOf('a')]);
  expect(() => readArchive(duplicated, MANY)).toThrow('contains a twice');
  const two = writeArchive(['a', 'b'].map((name) => ({ path: name, bytes: Buffer.alloc(0) })));
  expect(() => readArchive(two, { maxFiles: 1 })).toThrow('more than 1 files');
  expect(() => readArchive(rewriteHeader(archiveOf('a'), '2', 156), MANY)).toThrow('something other than plain files');
  for (const size of ['-1000', '9', 'x', ''])
    expect(() => readArchive(rewriteHeader(archiveOf('a'), size.padEnd(11), 124), MANY)).toThrow('not a number');
});

/** Changes a field of the first header and updates its checksum. */
function rewriteHeader(archive: Buffer, text: string, at: number): Buffer {
  archive.write(text, at);
  archive.write('        ', 148);
  const sum = archive.subarray(0, 512).reduce((total, byte) => total + byte, 0);
  archive.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return archive;
}
