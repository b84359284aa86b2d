/** What is seen at each sample of the picture; a row is `size` samples, the first row is the top one. */
export type Canvas = {
  size: number;
  /** towards the eye, in samples; BEHIND_ALL is background */
  depth: Float32Array;
  /** the direction of the surface in the camera's space, packed */
  normal: Uint32Array;
  /** which item of the picture, counted from 1; 0 is background, LINE a line drawn over whatever is there */
  owner: Uint32Array;
};

export const BEHIND_ALL = Number.NEGATIVE_INFINITY;
export const LINE = 0xffffffff;

export function emptyCanvas(size: number): Canvas {
  const samples = size * size;
  return {
    size,
    depth: new Float32Array(samples).fill(BEHIND_ALL),
    normal: new Uint32Array(samples),
    owner: new Uint32Array(samples),
  };
}

/** A direction of unit length in 30 bits, ten for each coordinate: finer than eight bits of colour can show. */
export function packNormal(x: number, y: number, z: number): number {
  return (511.5 * x + 512) | ((511.5 * y + 512) << 10) | ((511.5 * z + 512) << 20);
}

/** One coordinate of a packed direction: `shift` is 0, 10 or 20. */
export function unpackNormal(packed: number, shift: number): number {
  return (((packed >>> shift) & 1023) - 511.5) / 511.5;
}
