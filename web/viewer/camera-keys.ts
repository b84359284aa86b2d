// The keys of the camera, common to all 3D views.
import { type View, viewForKey } from './space.ts';

type Camera = {
  /** Rotates by angles to the right and up, in radians. */
  rotate: (right: number, up: number) => void;
  zoom: (factor: number) => void;
  fit: (view?: View) => void;
};

const STEP = Math.PI / 24;
const ZOOM_FACTOR = 1.2;
const ROTATIONS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
};

/**
 * Moves the camera: arrows rotate, + and - zoom, 1 to 6 and 0 show a standard view, F fits. Returns false for another
 * key.
 */
export function moveCamera(camera: Camera, key: string): boolean {
  const rotation = ROTATIONS[key];
  const view = viewForKey(key);
  if (rotation) camera.rotate(...rotation);
  else if (view) camera.fit(view);
  else if (key === '+' || key === '=') camera.zoom(ZOOM_FACTOR);
  else if (key === '-') camera.zoom(1 / ZOOM_FACTOR);
  else if (key.toLowerCase() === 'f') camera.fit();
  else return false;
  return true;
}
