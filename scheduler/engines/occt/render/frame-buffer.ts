/** The nearest surface at each sample. `size` samples per row; the first row is the top one. */
export type FrameBuffer = {
  size: number;
  /** distance towards the eye, in samples; BACKGROUND_DEPTH for the background */
  depth: Float32Array;
  /** packed surface normal in camera space */
  normal: Uint32Array;
  /** number of the rendered item, from 1; 0 for the background, LINE for lines */
  itemIds: Uint32Array;
  /** the first and last sample of each row that is not background; the last is -1 in an empty row */
  first: Int32Array;
  last: Int32Array;
};

export const BACKGROUND_DEPTH = Number.NEGATIVE_INFINITY;
export const LINE = 0xffffffff;

export function createFrameBuffer(size: number): FrameBuffer {
  const samples = size * size;
  return {
    size,
    depth: new Float32Array(samples).fill(BACKGROUND_DEPTH),
    normal: new Uint32Array(samples),
    itemIds: new Uint32Array(samples),
    first: new Int32Array(size).fill(size),
    last: new Int32Array(size).fill(-1),
  };
}

/** Notes that the samples of a row from one column to another may not be background. */
export function coverRow({ first, last }: FrameBuffer, row: number, from: number, to: number): void {
  if (from < first[row]!) first[row] = from;
  if (to > last[row]!) last[row] = to;
}

/** Packs a unit vector into 30 bits, ten per coordinate, which is finer than an 8-bit colour channel. */
export function packNormal(x: number, y: number, z: number): number {
  return (511.5 * x + 512) | ((511.5 * y + 512) << 10) | ((511.5 * z + 512) << 20);
}

/** Unpacks one coordinate: x, y or z for a `shift` of 0, 10 or 20. */
export function unpackNormal(packed: number, shift: number): number {
  return (((packed >>> shift) & 1023) - 511.5) / 511.5;
}
