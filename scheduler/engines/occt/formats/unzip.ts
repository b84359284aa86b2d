import { unzipSync } from 'fflate';
import { fail } from '../job-failure.ts';

const MAX_ENTRIES = 10_000;

/**
 * Returns the files of a ZIP archive whose names match. Throws JobFailure `too_large` if they have more than `maxBytes`
 * when decompressed, `truncated` if the archive is damaged.
 */
export function unzip(bytes: Uint8Array, pattern: RegExp, maxBytes: number): Map<string, Uint8Array> {
  let entries = 0;
  let total = 0;
  const files = unpack(bytes, ({ name, originalSize }) => {
    if (++entries > MAX_ENTRIES) fail('too_large', `the archive has more than ${MAX_ENTRIES} entries`);
    if (!pattern.test(name)) return false;
    total += originalSize;
    // An entry is inflated into a buffer of this size, and not beyond.
    if (total > maxBytes)
      fail('too_large', `the file is larger than ${maxBytes} bytes when decompressed, which is the maximum`);
    return true;
  });
  return new Map(Object.entries(files));
}

function unpack(bytes: Uint8Array, filter: (entry: { name: string; originalSize: number }) => boolean) {
  try {
    return unzipSync(bytes, { filter });
  } catch (error) {
    // Errors of the library have numeric codes; damaged lengths cause a RangeError.
    const isDamaged =
      error instanceof RangeError || (error instanceof Error && 'code' in error && typeof error.code === 'number');
    if (isDamaged) return fail('truncated', 'the compressed file is damaged or incomplete');
    throw error;
  }
}
