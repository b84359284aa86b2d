// Projects axes, dimensions and points for the overlay of a drawn frame.
import { type Box3, type Camera, Matrix4, Vector3 } from 'three';
import { AXES, type Axis, DIRECTIONS, type Point, pointInGltf } from '../space.ts';

/**
 * The data of a drawn frame for the overlay, in CSS pixels: axis directions and label positions of the bounding box.
 */
export type Frame = {
  axes: Record<Axis, readonly [x: number, y: number]>;
  lengths: { axis: Axis; x: number; y: number }[];
  /** Projects a point (mm, Z up) to the screen; null if it is behind the camera. */
  project: (point: Point) => readonly [x: number, y: number] | null;
  /** Width and height of the canvas. */
  size: readonly [width: number, height: number];
};
type ToPixels = (point: Vector3) => readonly [number, number];

/** Returns the overlay data of the frame drawn by this camera; `lengths` is empty without a box. */
export function overlayFrame(
  camera: Camera,
  { clientWidth, clientHeight }: HTMLCanvasElement,
  box: Box3 | null,
): Frame {
  // a copy, because the camera moves on
  const viewProjection = new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
  const toPixels: ToPixels = (point) => {
    const { x, y } = point.clone().applyMatrix4(viewProjection);
    return [((x + 1) / 2) * clientWidth, ((1 - y) / 2) * clientHeight];
  };
  const inFront = ({ x, y, z }: Vector3) =>
    (viewProjection.elements[3] ?? 0) * x +
      (viewProjection.elements[7] ?? 0) * y +
      (viewProjection.elements[11] ?? 0) * z +
      (viewProjection.elements[15] ?? 0) >
    0;
  const project: Frame['project'] = (point) => {
    const inGltf = new Vector3(...pointInGltf(point));
    return inFront(inGltf) ? toPixels(inGltf) : null;
  };
  return {
    axes: projectAxes(camera.matrixWorldInverse),
    lengths: box ? lengthLabels(box, toPixels) : [],
    project,
    size: [clientWidth, clientHeight],
  };
}

/** The screen directions (right, down) of the design axes; at most of length one. */
function projectAxes(view: { elements: readonly number[] }): Frame['axes'] {
  const onScreen = (axis: Axis) => {
    const [x, y, z] = DIRECTIONS[axis];
    const e = view.elements;
    return [
      (e[0] ?? 0) * x + (e[4] ?? 0) * y + (e[8] ?? 0) * z,
      -((e[1] ?? 0) * x + (e[5] ?? 0) * y + (e[9] ?? 0) * z),
    ] as const;
  };
  return { x: onScreen('x'), y: onScreen('y'), z: onScreen('z') };
}

/** For each axis, the midpoint of the box edge along it that is farthest from the center of the box on screen. */
function lengthLabels(box: Box3, toPixels: ToPixels): Frame['lengths'] {
  const center = toPixels(box.getCenter(new Vector3()));
  const sides = [box.min, box.max];
  return AXES.map((axis) => {
    const along = DIRECTIONS[axis].findIndex((part) => part !== 0);
    const candidates = [0, 1, 2, 3].map((corner) => {
      const point = box.getCenter(new Vector3());
      for (const [turn, other] of [0, 1, 2].filter((each) => each !== along).entries()) {
        point.setComponent(other, (sides[(corner >> turn) & 1] ?? box.min).getComponent(other));
      }
      const [x, y] = toPixels(point);
      const preference = y > center[1] ? 0.5 : 0; // of two equally distant edges, takes the lower one
      return { axis, x, y, distance: Math.hypot(x - center[0], y - center[1]) + preference };
    });
    return candidates.reduce((best, candidate) => (candidate.distance > best.distance ? candidate : best));
  });
}
