// The camera of a stage, perspective or orthographic, with orbit controls.
import { type Box3, OrthographicCamera, PerspectiveCamera, Sphere, Spherical, Vector3 } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { VIEWS, type View } from '../space.ts';

/**
 * A camera position in the model's meters; `zoom` is half the visible height of an orthographic (`parallel`) camera,
 * else 1. Two views with the same pose show the same region.
 */
export type Pose = { position: Vector3; target: Vector3; zoom: number; parallel: boolean };

const FIELD_OF_VIEW = 30; // degrees; narrow, so perspective distorts lengths little
const TAN_HALF_FIELD = Math.tan((FIELD_OF_VIEW * Math.PI) / 360);
const FIT_MARGIN = 1.12; // relative space around a fitted model

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
      onMove();
    },
    /** Fits a box into the view, from a standard view or the current direction. */
    fit(box: Box3, view?: View): void {
      const target = box.getCenter(new Vector3());
      const from = view ? new Vector3(...VIEWS[view].from) : direction();
      if (from.lengthSq() === 0) from.set(1, 1, 1);
      const { right, up } = extentOnScreen(box, target, from);
      const half = Math.max(up, right / aspect, 1e-9) * FIT_MARGIN;
      setParallelHeight(half);
      parallel.zoom = 1;
      const depth = box.getSize(new Vector3()).length() / 2;
      lookAt(from, target, camera === parallel ? depth * 4 : half / TAN_HALF_FIELD + depth * 0.6);
    },
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
      const spherical = new Spherical().setFromVector3(direction());
      spherical.theta += right;
      spherical.phi = Math.min(Math.PI - 0.001, Math.max(0.001, spherical.phi + up));
      camera.position.setFromSpherical(spherical).add(controls.target);
      controls.update();
      onMove();
    },
    zoom(factor: number): void {
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

/** Half the width and height that a box covers when seen from a direction. */
function extentOnScreen(box: Box3, middle: Vector3, from: Vector3): { right: number; up: number } {
  const back = from.clone().normalize();
  const up = Math.abs(back.y) > 0.999 ? new Vector3(0, 0, -1) : new Vector3(0, 1, 0);
  const right = up.clone().cross(back).normalize();
  up.copy(back).cross(right);
  const found = { right: 0, up: 0 };
  for (let corner = 0; corner < 8; corner++) {
    const point = new Vector3(
      corner & 1 ? box.min.x : box.max.x,
      corner & 2 ? box.min.y : box.max.y,
      corner & 4 ? box.min.z : box.max.z,
    ).sub(middle);
    found.right = Math.max(found.right, Math.abs(point.dot(right)));
    found.up = Math.max(found.up, Math.abs(point.dot(up)));
  }
  return found;
}
