// Parses the Range header of downloads.
/** The bytes from `start` up to but not including `end`. */
export type ByteRange = { start: number; end: number };

/**
 * Parses a Range header for a file of `size` bytes: one range, `unsatisfiable`, or null to send the whole file. Several
 * ranges and malformed headers are ignored, as RFC 9110 allows.
 */
export function byteRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | null {
  const [, first, last] = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(header ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return null;
  if (first === '')
    return Number(last) > 0 && size > 0 ? { start: Math.max(0, size - Number(last)), end: size } : 'unsatisfiable';
  const start = Number(first);
  if (last !== '' && Number(last) < start) return null;
  if (start >= size) return 'unsatisfiable';
  return { start, end: last === '' ? size : Math.min(size, Number(last) + 1) };
}
