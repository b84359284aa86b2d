// The camera of a stage, perspective or orthographic, with orbit controls.
import { type Box3, OrthographicCamera, PerspectiveCamera, Sphere, Spherical, Vector3 } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { VIEWS, type View } from '../space.ts';
import { frameAround, type VisitPoints } from './frame-around.ts';

/**
 * A camera position in the model's meters; `zoom` is half the visible height of an orthographic (`parallel`) camera,
 * else 1. Two views with the same pose show the same region.
 */
export type Pose = { position: Vector3; target: Vector3; zoom: number; parallel: boolean };

const FIELD_OF_VIEW = 30; // degrees; narrow, so perspective distorts lengths little
const TAN_HALF_FIELD = Math.tan((FIELD_OF_VIEW * Math.PI) / 360);

/** Creates a camera with orbit controls. Calls `onMove` whenever the scene must be redrawn. */
export function createCameraRig(canvas: HTMLCanvasElement, onMove: () => void) {
  const perspective = new PerspectiveCamera(FIELD_OF_VIEW, 1, 0.001, 100);
  const parallel = new OrthographicCamera(-1, 1, 1, -1, 0.001, 100);
  let camera: PerspectiveCamera | OrthographicCamera = perspective;
  const controls = new OrbitControls<PerspectiveCamera | OrthographicCamera>(camera, canvas);
  controls.zoomToCursor = true;
  controls.addEventListener('change', onMove);
  const bounds = new Sphere(new Vector3(), 1);
  let aspect = 1;
  // repeats the last fit in a view of another size, until the user moves the camera
  let refit: (() => void) | null = null;
  controls.addEventListener('start', () => {
    refit = null;
  });

  const targetDistance = () => camera.position.distanceTo(controls.target);
  const setParallelHeight = (top: number) => {
    parallel.top = top;
    parallel.bottom = -top;
    parallel.right = top * aspect;
    parallel.left = -top * aspect;
  };
  /** Sets the near and far planes tightly around the model, so near faces do not flicker. */
  const setClippingPlanes = () => {
    const distance = camera.position.distanceTo(bounds.center);
    const reach = bounds.radius * 1.5;
    camera.near = camera === parallel ? distance - reach : Math.max(distance - reach, reach / 2000);
    camera.far = distance + reach;
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
  };
  const lookAt = (from: Vector3, target: Vector3, distance: number) => {
    controls.target.copy(target);
    camera.position.copy(target).addScaledVector(from.normalize(), distance);
    controls.update();
    onMove();
  };
  const direction = () => camera.position.clone().sub(controls.target);
  /** Fits points into the view, from a standard view or the current direction; again whenever the view is resized. */
  const fitPoints = (visitPoints: VisitPoints, view?: View) => {
    const from = view ? new Vector3(...VIEWS[view].from) : direction();
    if (from.lengthSq() === 0) from.set(1, 1, 1);
    const tangent = camera === parallel ? null : TAN_HALF_FIELD;
    const { target, distance, halfHeight } = frameAround(visitPoints, from, { aspect, tangent });
    setParallelHeight(halfHeight);
    parallel.zoom = 1;
    lookAt(from, target, distance);
    refit = () => fitPoints(visitPoints, view);
  };

  return {
    get camera() {
      return camera;
    },
    setClippingPlanes,
    /** Sets the region that contains everything drawn. */
    setBounds(box: Box3): void {
      box.getBoundingSphere(bounds);
      bounds.radius = Math.max(bounds.radius, 1e-6);
      controls.minDistance = bounds.radius / 500;
      controls.maxDistance = bounds.radius * 60;
    },
    resize(width: number, height: number): void {
      aspect = width / Math.max(1, height);
      perspective.aspect = aspect;
      setParallelHeight(parallel.top);
      refit?.();
      onMove();
    },
    fit: fitPoints,
    setParallel(toParallel: boolean): void {
      const next = toParallel ? parallel : perspective;
      if (next === camera) return;
      const distance = targetDistance();
      const half = camera === parallel ? parallel.top / parallel.zoom : distance * TAN_HALF_FIELD;
      const from = direction();
      camera = next;
      controls.object = next;
      if (toParallel) {
        setParallelHeight(half);
        parallel.zoom = 1;
      }
      lookAt(from, controls.target.clone(), toParallel ? Math.max(distance, bounds.radius * 4) : half / TAN_HALF_FIELD);
    },
    /** Orbits by angles to the right and up, in radians. */
    rotate(right: number, up: number): void {
      refit = null;
      const spherical = new Spherical().setFromVector3(direction());
      spherical.theta += right;
      spherical.phi = Math.min(Math.PI - 0.001, Math.max(0.001, spherical.phi + up));
      camera.position.setFromSpherical(spherical).add(controls.target);
      controls.update();
      onMove();
    },
    zoom(factor: number): void {
      refit = null;
      if (camera === parallel) parallel.zoom *= factor;
      else camera.position.sub(controls.target).divideScalar(factor).add(controls.target);
      controls.update();
      onMove();
    },
    pose: (): Pose => ({
      position: camera.position.clone(),
      target: controls.target.clone(),
      zoom: camera === parallel ? parallel.top / parallel.zoom : 1,
      parallel: camera === parallel,
    }),
    setPose({ position, target, zoom, parallel: isParallel }: Pose): void {
      refit = null;
      camera = isParallel ? parallel : perspective;
      controls.object = camera;
      if (isParallel) {
        setParallelHeight(zoom);
        parallel.zoom = 1;
      }
      const distance = position.distanceTo(target); // may fit a model of a very different size
      controls.minDistance = Math.min(controls.minDistance, distance);
      controls.maxDistance = Math.max(controls.maxDistance, distance);
      camera.position.copy(position);
      controls.target.copy(target);
      controls.update();
      onMove();
    },
    radius: () => bounds.radius,
    dispose: () => controls.dispose(),
  };
}
