// A folder of files as one archive (POSIX ustar): sorted, without times and owners, so that the same files are the same bytes everywhere.
// Any tar program reads it. What it does not hold it refuses: links, folders, other owners.

/** A file of a tree: its path below the root, with forward slashes. */
export type TreeFile = { path: string; bytes: Uint8Array };

const BLOCK = 512;
const PREFIX = { at: 345, length: 155 };
const NAME_LENGTH = 100;

/** The archive of some files. Throws for a path that the format cannot hold (over 100 bytes in its last part, over 255 in all). */
export function writeArchive(files: readonly TreeFile[]): Buffer {
  const sorted = [...files].sort((a, b) => (a.path < b.path ? -1 : 1));
  const blocks = sorted.flatMap(({ path, bytes }) => [
    headerOf(path, bytes.length),
    bytes,
    Buffer.alloc(-bytes.length & (BLOCK - 1)),
  ]);
  return Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]);
}

/** Whether the archive can hold a file with this path. */
export function fitsArchive(path: string): boolean {
  return splitPath(path) !== null;
}

/**
 * The files of an archive from a stranger, in their order. Throws an ArchiveFault for anything but plain files with safe relative paths, each
 * once, with sound checksums; and beyond `maxFiles`.
 */
export function readArchive(archive: Uint8Array, { maxFiles }: { maxFiles: number }): TreeFile[] {
  const bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength);
  const files: TreeFile[] = [];
  const seen = new Set<string>();
  for (let at = 0; at + BLOCK <= bytes.length; ) {
    const header = bytes.subarray(at, at + BLOCK);
    if (header.every((byte) => byte === 0)) return files;
    const { path, size } = read(header);
    const end = at + BLOCK + size;
    if (end > bytes.length) throw new ArchiveFault(`${path} is cut off`);
    if (seen.has(path)) throw new ArchiveFault(`${path} is there twice`);
    if (files.length === maxFiles) throw new ArchiveFault(`there are more than ${maxFiles} files`);
    seen.add(path);
    files.push({ path, bytes: bytes.subarray(at + BLOCK, end) });
    at = end + (-size & (BLOCK - 1));
  }
  throw new ArchiveFault('its end is missing');
}

/** Says what is wrong with an archive. */
export class ArchiveFault extends Error {
  override readonly name = 'ArchiveFault';
}

function headerOf(path: string, size: number): Buffer {
  const parts = splitPath(path);
  if (!parts) throw new ArchiveFault(`the path ${path} is too long`);
  const header = Buffer.alloc(BLOCK);
  header.write(parts.name, 0);
  header.write('0000644\0', 100);
  header.write('0000000\0'.repeat(2), 108);
  header.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  header.write(`${'0'.repeat(11)}\0`, 136);
  header.write('        ', 148);
  header.write('0', 156);
  header.write('ustar\0', 257);
  header.write('00', 263);
  header.write(parts.prefix, PREFIX.at);
  header.write(`${checksumOf(header).toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

function read(header: Buffer): { path: string; size: number } {
  const text = (start: number, length: number) => utf8(header.subarray(start, start + length));
  const sum = Number.parseInt(text(148, 8), 8);
  const summed = Buffer.from(header).fill(' ', 148, 156);
  if (sum !== checksumOf(summed)) throw new ArchiveFault('a checksum does not fit');
  if (text(257, 5) !== 'ustar' || !['0', ''].includes(text(156, 1)))
    throw new ArchiveFault('it holds something else than plain files');
  const prefix = text(PREFIX.at, PREFIX.length);
  const path = prefix ? `${prefix}/${text(0, NAME_LENGTH)}` : text(0, NAME_LENGTH);
  if (!isSafe(path)) throw new ArchiveFault('it holds a path that leads elsewhere');
  const size = text(124, 12).trim();
  if (!/^[0-7]{1,11}$/.test(size)) throw new ArchiveFault(`the size of ${path} is not a number`);
  return { path, size: Number.parseInt(size, 8) };
}

/** Whether a path is relative, plain, and stays below where it starts. */
export function isSafe(path: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return (
    !/[\u0000-\u001f\u007f\\]/.test(path) &&
    path.split('/').every((segment) => segment !== '' && segment !== '.' && segment !== '..')
  );
}

function utf8(field: Buffer): string {
  const end = field.indexOf(0);
  const text = field.subarray(0, end < 0 ? field.length : end);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(text);
  } catch {
    throw new ArchiveFault('a name is not UTF-8');
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
