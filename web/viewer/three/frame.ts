// What is written over the picture: where the axes point on it, and where the lengths of a box stand.
import { type Box3, type Camera, Matrix4, Vector3 } from 'three';
import { AXES, type Axis, DIRECTIONS, type Point, pointInFile } from '../space.ts';

/** Where the axes point on the picture, and where the three lengths of the measured box are to be written, in CSS pixels. */
export type Frame = {
  axes: Record<Axis, readonly [x: number, y: number]>;
  lengths: { axis: Axis; x: number; y: number }[];
  /** Where a point (mm, Z up) is on the picture; null behind the eye. */
  at: (point: Point) => readonly [x: number, y: number] | null;
  /** Width and height of the picture. */
  size: readonly [width: number, height: number];
};
type Pixels = (point: Vector3) => readonly [number, number];

/** The frame of a picture that this camera drew on this canvas; without a box there are no lengths. */
export function frameOf(camera: Camera, { clientWidth, clientHeight }: HTMLCanvasElement, box: Box3 | null): Frame {
  const seen = new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse); // of now: the camera goes on
  const pixels: Pixels = (point) => {
    const { x, y } = point.clone().applyMatrix4(seen);
    return [((x + 1) / 2) * clientWidth, ((1 - y) / 2) * clientHeight];
  };
  const inFront = ({ x, y, z }: Vector3) =>
    (seen.elements[3] ?? 0) * x +
      (seen.elements[7] ?? 0) * y +
      (seen.elements[11] ?? 0) * z +
      (seen.elements[15] ?? 0) >
    0;
  const at: Frame['at'] = (point) => {
    const there = new Vector3(...pointInFile(point));
    return inFront(there) ? pixels(there) : null;
  };
  return {
    axes: axesOn(camera.matrixWorldInverse),
    lengths: box ? lengthsOn(box, pixels) : [],
    at,
    size: [clientWidth, clientHeight],
  };
}

/** Where the design axes point on the picture: to the right and down, of length one at most. */
function axesOn(view: { elements: readonly number[] }): Frame['axes'] {
  const onPicture = (axis: Axis) => {
    const [x, y, z] = DIRECTIONS[axis];
    const e = view.elements;
    return [
      (e[0] ?? 0) * x + (e[4] ?? 0) * y + (e[8] ?? 0) * z,
      -((e[1] ?? 0) * x + (e[5] ?? 0) * y + (e[9] ?? 0) * z),
    ] as const;
  };
  return { x: onPicture('x'), y: onPicture('y'), z: onPicture('z') };
}

/** For each axis the middle of that edge of the box, of four, which is farthest from the middle of the picture of the box. */
function lengthsOn(box: Box3, pixels: Pixels): Frame['lengths'] {
  const middle = pixels(box.getCenter(new Vector3()));
  const sides = [box.min, box.max];
  return AXES.map((axis) => {
    const along = DIRECTIONS[axis].findIndex((part) => part !== 0);
    const places = [0, 1, 2, 3].map((corner) => {
      const point = box.getCenter(new Vector3());
      for (const [turn, other] of [0, 1, 2].filter((each) => each !== along).entries()) {
        point.setComponent(other, (sides[(corner >> turn) & 1] ?? box.min).getComponent(other));
      }
      const [x, y] = pixels(point);
      return { axis, x, y, far: Math.hypot(x - middle[0], y - middle[1]) + (y > middle[1] ? 0.5 : 0) };
    });
    return places.reduce((best, place) => (place.far > best.far ? place : best));
  });
}
