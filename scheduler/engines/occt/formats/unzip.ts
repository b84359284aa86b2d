import { inflateRawSync } from 'node:zlib';
import { fail } from '../job-failure.ts';
import { DAMAGED, LOCAL_HEADER, listEntries, type ZipEntry } from './zip-directory.ts';

/**
 * Returns the files of a ZIP archive whose names match. Throws JobFailure `too_large` if they have more than `maxBytes`
 * when decompressed, `truncated` if the archive is damaged, `unsupported_format` if one of them is encrypted or
 * compressed with another method than deflate.
 */
export function unzip(archive: Uint8Array, pattern: RegExp, maxBytes: number): Map<string, Buffer> {
  const bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.length);
  const files = new Map<string, Buffer>();
  let total = 0;
  for (const entry of listEntries(bytes)) {
    if (!pattern.test(entry.name)) continue;
    const content = readEntry(bytes, entry, maxBytes, maxBytes - total);
    total += content.length;
    if (total > maxBytes) failTooLarge(maxBytes);
    files.set(entry.name, content);
  }
  return files;
}

function readEntry(
  bytes: Buffer,
  { isEncrypted, method, offset, size }: ZipEntry,
  maxBytes: number,
  left: number,
): Buffer {
  if (isEncrypted) fail('unsupported_format', 'the ZIP archive is encrypted; upload it without a password');
  if (offset + 30 > bytes.length || bytes.readUInt32LE(offset) !== LOCAL_HEADER) fail('truncated', DAMAGED);
  const start = offset + 30 + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28);
  const data = bytes.subarray(start, start + size);
  if (data.length < size) fail('truncated', DAMAGED);
  if (method === 0) return data;
  if (method === 8) return inflate(() => inflateRawSync(data, { maxOutputLength: Math.max(1, left) }), maxBytes);
  fail('unsupported_format', `the ZIP archive uses compression method ${method}; only deflate is supported`);
}

/** Returns the decompressed bytes. Throws JobFailure `too_large` for more than `maxBytes`, `truncated` for damaged ones. */
export function inflate(work: () => Buffer, maxBytes: number): Buffer {
  try {
    return work();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'ERR_BUFFER_TOO_LARGE') failTooLarge(maxBytes);
    if (typeof code === 'string' && code.startsWith('Z_')) fail('truncated', DAMAGED);
    throw error;
  }
}

/** Throws JobFailure `too_large` for a compressed file. */
export function failTooLarge(maxBytes: number): never {
  fail('too_large', `the file is larger than ${maxBytes} bytes when decompressed, which is the maximum`);
}
