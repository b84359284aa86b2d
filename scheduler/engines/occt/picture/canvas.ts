/** What is seen at each sample of the picture; a row is `size` samples, the first row is the top one. */
export type Canvas = {
  size: number;
  /** towards the eye; -Infinity is background */
  depth: Float32Array;
  /** three per sample, in the camera's space, not of unit length */
  normal: Float32Array;
  /** which item of the picture */
  owner: Uint32Array;
  /** 1 where a line is drawn */
  line: Uint8Array;
};

export function emptyCanvas(size: number): Canvas {
  const samples = size * size;
  return {
    size,
    depth: new Float32Array(samples).fill(Number.NEGATIVE_INFINITY),
    normal: new Float32Array(samples * 3),
    owner: new Uint32Array(samples),
    line: new Uint8Array(samples),
  };
}
