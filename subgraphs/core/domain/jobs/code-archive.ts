// Reads and writes reproducible tar archives (POSIX ustar) of plain files: sorted, without times and owners.

/** A file; `path` is relative to the root, with forward slashes. */
export type TreeFile = { path: string; bytes: Uint8Array };

const BLOCK = 512;
const PREFIX = { at: 345, length: 155 };
const NAME_LENGTH = 100;

/**
 * Returns the archive of the files. Throws ArchiveError for a path that is too long for the format (see `fitsArchive`).
 */
export function writeArchive(files: readonly TreeFile[]): Buffer {
  const sorted = [...files].sort((a, b) => (a.path < b.path ? -1 : 1));
  const blocks = sorted.flatMap(({ path, bytes }) => [
    headerOf(path, bytes.length),
    bytes,
    Buffer.alloc(paddingOf(bytes.length)),
  ]);
  return Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]);
}

/**
 * Returns whether the format can store this path: at most 100 bytes, or split at a slash into at most 155 and 100
 * bytes.
 */
export function fitsArchive(path: string): boolean {
  return splitPath(path) !== null;
}

/**
 * Returns the files of an untrusted archive in order. Throws ArchiveError for anything but plain files with unique,
 * safe relative paths and valid checksums, and for more than `maxFiles` files.
 */
export function readArchive(archive: Uint8Array, { maxFiles }: { maxFiles: number }): TreeFile[] {
  const bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength);
  const files: TreeFile[] = [];
  const paths = new Set<string>();
  for (let at = 0; at + BLOCK <= bytes.length; ) {
    const header = bytes.subarray(at, at + BLOCK);
    if (header.every((byte) => byte === 0)) return files;
    const { path, size } = readHeader(header);
    const end = at + BLOCK + size;
    if (end > bytes.length) throw new ArchiveError(`the file ${path} is truncated`);
    if (paths.has(path)) throw new ArchiveError(`it contains ${path} twice`);
    if (files.length === maxFiles) throw new ArchiveError(`it contains more than ${maxFiles} files`);
    paths.add(path);
    files.push({ path, bytes: bytes.subarray(at + BLOCK, end) });
    at = end + paddingOf(size);
  }
  throw new ArchiveError('the end of the archive is missing');
}

/** An invalid archive, or a path that the format cannot store. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';
}

// Returns the number of bytes up to the next multiple of the block size, a power of two.
function paddingOf(size: number): number {
  return -size & (BLOCK - 1);
}

function headerOf(path: string, size: number): Buffer {
  const parts = splitPath(path);
  if (!parts) throw new ArchiveError(`the path ${path} is too long`);
  const header = Buffer.alloc(BLOCK);
  header.write(parts.name, 0);
  header.write('0000644\0', 100); // mode
  header.write('0000000\0'.repeat(2), 108); // user and group id
  header.write(`${size.toString(8).padStart(11, '0')}\0`, 124); // size
  header.write(`${'0'.repeat(11)}\0`, 136); // modification time
  header.write('        ', 148); // spaces stand for the checksum while it is computed
  header.write('0', 156); // type: a plain file
  header.write('ustar\0', 257);
  header.write('00', 263); // version
  header.write(parts.prefix, PREFIX.at);
  header.write(`${checksumOf(header).toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

function readHeader(header: Buffer): { path: string; size: number } {
  const text = (start: number, length: number) => decodeField(header.subarray(start, start + length));
  const sum = Number.parseInt(text(148, 8), 8);
  const summed = Buffer.from(header).fill(' ', 148, 156);
  if (sum !== checksumOf(summed)) throw new ArchiveError('the checksum of a header is wrong');
  if (text(257, 5) !== 'ustar' || !['0', ''].includes(text(156, 1)))
    throw new ArchiveError('it contains something other than plain files');
  const prefix = text(PREFIX.at, PREFIX.length);
  const path = prefix ? `${prefix}/${text(0, NAME_LENGTH)}` : text(0, NAME_LENGTH);
  if (!isSafePath(path)) throw new ArchiveError('it contains an unsafe path');
  const size = text(124, 12).trim();
  if (!/^[0-7]{1,11}$/.test(size)) throw new ArchiveError(`the size of ${path} is not a number`);
  return { path, size: Number.parseInt(size, 8) };
}

/** Returns whether a path is relative, inside the root and without control characters and backslashes. */
export function isSafePath(path: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters
  if (/[\u0000-\u001f\u007f\\]/.test(path)) return false;
  return path.split('/').every((segment) => segment !== '' && segment !== '.' && segment !== '..');
}

function decodeField(field: Buffer): string {
  const end = field.indexOf(0);
  const text = field.subarray(0, end < 0 ? field.length : end);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(text);
  } catch {
    throw new ArchiveError('a file name is not UTF-8');
  }
}

function splitPath(path: string): { prefix: string; name: string } | null {
  if (Buffer.byteLength(path) <= NAME_LENGTH) return { prefix: '', name: path };
  for (let slash = path.indexOf('/'); slash > 0; slash = path.indexOf('/', slash + 1)) {
    const [prefix, name] = [path.slice(0, slash), path.slice(slash + 1)];
    if (Buffer.byteLength(prefix) > PREFIX.length) return null;
    if (Buffer.byteLength(name) <= NAME_LENGTH) return { prefix, name };
  }
  return null;
}

function checksumOf(header: Buffer): number {
  return header.reduce((sum, byte) => sum + byte, 0);
}
