// Checks the frame of a PNG image: its signature, its size and its end. The pixels are not decoded.

/** The bytes of the signature and of the first chunk, which has the size. */
export const PNG_HEAD_BYTES = 33;
/** The bytes of the last chunk. */
export const PNG_END_BYTES = 12;
export const MAX_PNG_PIXELS = 4096;

const SIGNATURE_AND_HEADER = Buffer.from('\u0089PNG\r\n\u001a\n\0\0\0\rIHDR', 'latin1');
const END = Buffer.from('\0\0\0\0IEND\u00aeB`\u0082', 'latin1');

/** Returns what is wrong with an image that starts and ends with these bytes, or null. */
export function pngError(head: Buffer, end: Buffer): string | null {
  if (head.length < PNG_HEAD_BYTES || !head.subarray(0, SIGNATURE_AND_HEADER.length).equals(SIGNATURE_AND_HEADER))
    return 'is not a PNG image';
  const [width, height] = [head.readUInt32BE(16), head.readUInt32BE(20)];
  const isPossible = (pixels: number) => pixels >= 1 && pixels <= MAX_PNG_PIXELS;
  if (!isPossible(width) || !isPossible(height))
    return `has ${width} × ${height} pixels; each side must have 1 to ${MAX_PNG_PIXELS}`;
  return end.equals(END) ? null : 'is cut off: it does not end with the chunk IEND';
}
