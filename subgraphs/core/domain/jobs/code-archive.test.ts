import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ArchiveFault, fitsArchive, isSafe, readArchive, writeArchive } from './code-archive.ts';

const segment = fc.string({
  unit: fc.constantFrom('a', 'B', '7', '-', '_', '.', ' ', 'ö', '部'),
  minLength: 1,
  maxLength: 40,
});
const path = fc
  .array(segment, { minLength: 1, maxLength: 6 })
  .map((segments) => segments.join('/'))
  .filter((text) => isSafe(text) && fitsArchive(text));
const files = fc.uniqueArray(fc.record({ path, bytes: fc.uint8Array({ maxLength: 1500 }) }), {
  selector: (file) => file.path,
  maxLength: 12,
});
const MANY = { maxFiles: 5_000 };

test('an archive gives back the files that were put in, whatever their order was', () => {
  fc.assert(
    fc.property(files, (given) => {
      const archive = writeArchive(given);
      const sorted = [...given].sort((a, b) => (a.path < b.path ? -1 : 1));
      expect(readArchive(archive, MANY).map((file) => [file.path, [...file.bytes]])).toEqual(
        sorted.map((file) => [file.path, [...file.bytes]]),
      );
      expect(writeArchive([...given].reverse()).equals(archive)).toBe(true);
    }),
  );
});

test('other tar programs read it', () => {
  const archive = writeArchive([
    { path: 'rack.mjs', bytes: Buffer.from('one') },
    { path: `${'long/'.repeat(25)}name.mjs`, bytes: Buffer.from('two') },
  ]);
  const listed = execFileSync('tar', ['-tf', '-'], { input: archive, encoding: 'utf8' });
  expect(listed.trim().split('\n')).toEqual([`${'long/'.repeat(25)}name.mjs`, 'rack.mjs']);
});

test('a changed byte of a header is refused or changes nothing, like a blank for a zero in the checksum; a cut or a second end is refused', () => {
  const files = [{ path: 'a.mjs', bytes: Buffer.from('abc') }];
  const archive = writeArchive(files);
  let refused = 0;
  fc.assert(
    fc.property(fc.nat(511), fc.integer({ min: 1, max: 255 }), (at, by) => {
      const changed = Buffer.from(archive);
      changed[at] = (changed[at]! + by) % 256;
      try {
        expect(readArchive(changed, MANY)).toEqual(files);
      } catch (error) {
        if (!(error instanceof ArchiveFault)) throw error;
        refused++;
      }
    }),
  );
  expect(refused).toBeGreaterThan(90);
  expect(() => readArchive(archive.subarray(0, 512), MANY)).toThrow('cut off');
  expect(() => readArchive(archive.subarray(0, 1024), MANY)).toThrow('its end is missing');
});

test('links, paths that lead elsewhere, doubles and too many files are refused', () => {
  const named = (name: string) => writeArchive([{ path: name, bytes: Buffer.from('x') }]);
  for (const name of ['/etc/passwd', '../x', 'a/../b', 'a//b', 'a\\b', './a', 'a\nb'])
    expect(() => readArchive(named(name), MANY)).toThrow('leads elsewhere');
  const twice = Buffer.concat([named('a').subarray(0, 1024), named('a')]);
  expect(() => readArchive(twice, MANY)).toThrow('there twice');
  const two = writeArchive(['a', 'b'].map((name) => ({ path: name, bytes: Buffer.alloc(0) })));
  expect(() => readArchive(two, { maxFiles: 1 })).toThrow('more than 1 files');
  expect(() => readArchive(rewritten(named('a'), '2', 156), MANY)).toThrow('something else than plain files');
  for (const size of ['-1000', '9', 'x', ''])
    expect(() => readArchive(rewritten(named('a'), size.padEnd(11), 124), MANY)).toThrow('not a number');
});

/** The archive with another text in its first header, and the checksum that fits. */
function rewritten(archive: Buffer, text: string, at: number): Buffer {
  archive.write(text, at);
  archive.write('        ', 148);
  const sum = archive.subarray(0, 512).reduce((total, byte) => total + byte, 0);
  archive.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return archive;
}
