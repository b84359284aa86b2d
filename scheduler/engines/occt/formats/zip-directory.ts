// Reads the directory of a ZIP archive, also in the form for large archives (ZIP64).
import { fail } from '../job-failure.ts';

/** A file of an archive: `size` is that of its compressed bytes, `offset` the position of its local header. */
export type ZipEntry = { name: string; method: number; isEncrypted: boolean; size: number; offset: number };

export const LOCAL_HEADER = 0x04034b50;
const CENTRAL_HEADER = 0x02014b50;
const END_OF_DIRECTORY = 0x06054b50;
const END_LENGTH = 22;
const MAX_COMMENT = 65_535;
const ZIP64_LOCATOR = 0x07064b50;
const ZIP64_LOCATOR_LENGTH = 20;
const ZIP64_END = 0x06064b50;
const ZIP64_FIELD = 1;
const IN_ZIP64 = 0xffffffff;
const IS_ENCRYPTED = 1;
const IS_UTF_8 = 1 << 11;
const MAX_ENTRIES = 10_000;

export const DAMAGED = 'the compressed file is damaged or incomplete';

/** Returns whether the bytes start as a ZIP archive. */
export const isZip = (bytes: Buffer): boolean => bytes.length > 4 && bytes.readUInt32LE(0) === LOCAL_HEADER;

/** Lists the entries of a ZIP archive. Throws JobFailure `truncated` if it is damaged, `too_large` for more than 10,000. */
export function listEntries(bytes: Buffer): ZipEntry[] {
  try {
    const { count, offset } = findDirectory(bytes);
    if (count > MAX_ENTRIES) fail('too_large', `the archive has ${count} entries; the maximum is ${MAX_ENTRIES}`);
    let at = offset;
    return Array.from({ length: count }, () => {
      const { entry, next } = readHeader(bytes, at);
      at = next;
      return entry;
    });
  } catch (error) {
    // A position in a damaged archive may be outside of it.
    if (error instanceof RangeError) failDamaged();
    throw error;
  }
}

function findDirectory(bytes: Buffer): { count: number; offset: number } {
  let end = bytes.length - END_LENGTH;
  const lowest = Math.max(0, end - MAX_COMMENT);
  while (end >= lowest && bytes.readUInt32LE(end) !== END_OF_DIRECTORY) end--;
  if (end < lowest) failDamaged();
  const locator = end - ZIP64_LOCATOR_LENGTH;
  if (locator < 0 || bytes.readUInt32LE(locator) !== ZIP64_LOCATOR)
    return { count: bytes.readUInt16LE(end + 10), offset: bytes.readUInt32LE(end + 16) };
  const large = readSize(bytes, locator + 8);
  if (bytes.readUInt32LE(large) !== ZIP64_END) failDamaged();
  return { count: readSize(bytes, large + 32), offset: readSize(bytes, large + 48) };
}

function readHeader(bytes: Buffer, at: number): { entry: ZipEntry; next: number } {
  if (bytes.readUInt32LE(at) !== CENTRAL_HEADER) failDamaged();
  const flags = bytes.readUInt16LE(at + 8);
  const nameEnd = at + 46 + bytes.readUInt16LE(at + 28);
  const extraEnd = nameEnd + bytes.readUInt16LE(at + 30);
  // In the order of ZIP64: the decompressed and the compressed size, and the position.
  const short = [bytes.readUInt32LE(at + 24), bytes.readUInt32LE(at + 20), bytes.readUInt32LE(at + 42)];
  const [, size, offset] = zip64Values(bytes.subarray(nameEnd, extraEnd), short) as [number, number, number];
  const entry = {
    name: decodeName(bytes.subarray(at + 46, nameEnd), (flags & IS_UTF_8) !== 0),
    method: bytes.readUInt16LE(at + 10),
    isEncrypted: (flags & IS_ENCRYPTED) !== 0,
    size,
    offset,
  };
  return { entry, next: extraEnd + bytes.readUInt16LE(at + 32) };
}

// Replaces the values that do not fit into 32 bits. The extra field has only these.
function zip64Values(extra: Buffer, short: readonly number[]): number[] {
  if (!short.includes(IN_ZIP64)) return [...short];
  let at = 0;
  while (extra.readUInt16LE(at) !== ZIP64_FIELD) at += 4 + extra.readUInt16LE(at + 2);
  at += 4;
  return short.map((value) => {
    if (value !== IN_ZIP64) return value;
    at += 8;
    return readSize(extra, at - 8);
  });
}

// Larger values are outside of the archive as well.
const readSize = (bytes: Buffer, at: number): number => Number(bytes.readBigUInt64LE(at));

// Names without the flag for UTF-8 are UTF-8 (macOS) or in code page 437 (Windows).
function decodeName(bytes: Buffer, isUtf8: boolean): string {
  const name = bytes.toString('utf8');
  if (isUtf8 || !name.includes('\ufffd')) return name;
  return Array.from(bytes, (byte) => CODE_PAGE_437[byte - 128] ?? String.fromCharCode(byte)).join('');
}

const CODE_PAGE_437 = [
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒ',
  'áíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐',
  '└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀',
  'αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0',
].join('');

function failDamaged(): never {
  fail('truncated', DAMAGED);
}
