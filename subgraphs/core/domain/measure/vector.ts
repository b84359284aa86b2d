// Vector arithmetic on points.

export type Point = readonly [x: number, y: number, z: number];

export const minus = (a: Point, b: Point): Point => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const plus = (a: Point, b: Point, times = 1): Point => [
  a[0] + b[0] * times,
  a[1] + b[1] * times,
  a[2] + b[2] * times,
];
export const scale = (a: Point, factor: number): Point => [a[0] * factor, a[1] * factor, a[2] * factor];
export const mapPoint = (a: Point, map: (value: number, index: number) => number): Point => [
  map(a[0], 0),
  map(a[1], 1),
  map(a[2], 2),
];
export const dot = (a: Point, b: Point): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a: Point, b: Point): Point => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
export const length = (a: Point): number => Math.hypot(...a);
export const distanceBetween = (a: Point, b: Point): number => length(minus(a, b));
/** Returns the vector with length one; a zero vector is unchanged. */
export const unit = (a: Point): Point => {
  const long = length(a);
  return long > 0 ? [a[0] / long, a[1] / long, a[2] / long] : a;
};
/** Returns the angle between two undirected lines, 0 to 90 degrees. */
export const degreesBetween = (a: Point, b: Point): number =>
  (Math.atan2(length(cross(a, b)), Math.abs(dot(a, b))) * 180) / Math.PI;
