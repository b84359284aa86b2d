import { gunzipSync, inflateRawSync } from 'node:zlib';
import { fail } from '../job-failure.ts';
import { sanitizeName } from '../limits.ts';

/**
 * Returns the STEP file in a gzip file or ZIP archive (.stpz, .stp.gz, .zip), or other bytes as they are. Throws
 * JobFailure `too_large` if it has more than `maxBytes`, `truncated` if it is damaged, `unsupported_format` if an
 * archive does not contain exactly one STEP file.
 */
export function unpackStep(bytes: Buffer, maxBytes: number): Buffer {
  if (bytes.length > 2 && bytes.readUInt16BE(0) === 0x1f8b)
    return inflate(() => gunzipSync(bytes, { maxOutputLength: maxBytes }), maxBytes);
  if (bytes.length > 4 && bytes.readUInt32LE(0) === LOCAL_HEADER) return unzip(bytes, maxBytes);
  return bytes;
}

const LOCAL_HEADER = 0x04034b50;
const CENTRAL_HEADER = 0x02014b50;
const END_OF_DIRECTORY = 0x06054b50;
const END_LENGTH = 22;
const MAX_COMMENT = 65_535;
const MAX_ENTRIES = 10_000;
const DAMAGED = 'the compressed file is damaged or incomplete';

/** The name of a STEP file in an archive, without the files that macOS adds. */
export const STEP_ENTRY = /^(?!.*(?:^|\/)[._]).*\.(?:stp|step|p21)$/i;

/** Returns whether the bytes are a ZIP archive with several STEP files. */
export function hasSeveralStepFiles(bytes: Buffer): boolean {
  const isZip = bytes.length > 4 && bytes.readUInt32LE(0) === LOCAL_HEADER;
  return isZip && listEntries(bytes).filter(({ name }) => STEP_ENTRY.test(name)).length > 1;
}

function unzip(bytes: Buffer, maxBytes: number): Buffer {
  const files = listEntries(bytes).filter(({ name }) => STEP_ENTRY.test(name));
  const [only] = files;
  if (!only || files.length > 1) {
    const names = files.slice(0, 3).map(({ name }) => sanitizeName(name));
    const found = files.length ? `${files.length} STEP files (${names.join(', ')})` : 'no STEP file';
    fail('unsupported_format', `the ZIP archive contains ${found}; upload one STEP file`);
  }
  if (only.isEncrypted)
    fail('unsupported_format', 'the ZIP archive is encrypted; upload the STEP file without a password');
  const at = only.offset;
  if (at + 30 > bytes.length || bytes.readUInt32LE(at) !== LOCAL_HEADER) fail('truncated', DAMAGED);
  const start = at + 30 + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28);
  const data = bytes.subarray(start, start + only.size);
  if (only.method === 0) return data.length > maxBytes ? failTooLarge(maxBytes) : data;
  if (only.method !== 8)
    fail('unsupported_format', `the ZIP archive uses compression method ${only.method}; only deflate is supported`);
  return inflate(() => inflateRawSync(data, { maxOutputLength: maxBytes }), maxBytes);
}

type Entry = { name: string; method: number; isEncrypted: boolean; size: number; offset: number };

function listEntries(bytes: Buffer): Entry[] {
  let end = bytes.length - END_LENGTH;
  const lowest = Math.max(0, end - MAX_COMMENT);
  while (end >= lowest && bytes.readUInt32LE(end) !== END_OF_DIRECTORY) end--;
  if (end < lowest) fail('truncated', DAMAGED);
  const count = Math.min(bytes.readUInt16LE(end + 10), MAX_ENTRIES);
  let at = bytes.readUInt32LE(end + 16);
  return Array.from({ length: count }, () => {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== CENTRAL_HEADER) fail('truncated', DAMAGED);
    const nameLength = bytes.readUInt16LE(at + 28);
    const entry = {
      name: bytes.toString('utf8', at + 46, at + 46 + nameLength),
      method: bytes.readUInt16LE(at + 10),
      isEncrypted: (bytes.readUInt16LE(at + 8) & 1) === 1,
      size: bytes.readUInt32LE(at + 20),
      offset: bytes.readUInt32LE(at + 42),
    };
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
    return entry;
  });
}

function inflate(work: () => Buffer, maxBytes: number): Buffer {
  try {
    return work();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'ERR_BUFFER_TOO_LARGE') return failTooLarge(maxBytes);
    if (typeof code === 'string' && code.startsWith('Z_')) return fail('truncated', DAMAGED);
    throw error;
  }
}

const failTooLarge = (maxBytes: number): never =>
  fail('too_large', `the STEP file is larger than ${maxBytes} bytes when decompressed, which is the maximum`);
