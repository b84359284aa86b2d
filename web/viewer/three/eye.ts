import { type Box3, OrthographicCamera, PerspectiveCamera, Sphere, Spherical, Vector3 } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { VIEWS, type View } from '../space.ts';

/** From where a model is looked at, in its own metres: two pictures with the same pose show the same. */
export type Pose = { position: Vector3; target: Vector3; zoom: number; parallel: boolean };

const ANGLE = 30; // narrow, as from some distance: parts look as long as they are
const HALF = Math.tan((ANGLE * Math.PI) / 360);
const AIR = 1.12; // space around a model that is fitted

/** The eye: turned by mouse, finger or keys around what it looks at. `onMove` is told whenever the picture has to be drawn anew. */
export function eye(canvas: HTMLCanvasElement, onMove: () => void) {
  const perspective = new PerspectiveCamera(ANGLE, 1, 0.001, 100);
  const parallel = new OrthographicCamera(-1, 1, 1, -1, 0.001, 100);
  let camera: PerspectiveCamera | OrthographicCamera = perspective;
  const controls = new OrbitControls<PerspectiveCamera | OrthographicCamera>(camera, canvas);
  controls.zoomToCursor = true;
  controls.addEventListener('change', onMove);
  const around = new Sphere(new Vector3(), 1);
  let aspect = 1;

  const distance = () => camera.position.distanceTo(controls.target);
  const span = (top: number) => {
    parallel.top = top;
    parallel.bottom = -top;
    parallel.right = top * aspect;
    parallel.left = -top * aspect;
  };
  /** What is drawn of depth is just what is there: so that near faces do not flicker. */
  const prepare = () => {
    const away = camera.position.distanceTo(around.center);
    const reach = around.radius * 1.5;
    camera.near = camera === parallel ? away - reach : Math.max(away - reach, reach / 2000);
    camera.far = away + reach;
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
  };
  const place = (from: Vector3, target: Vector3, away: number) => {
    controls.target.copy(target);
    camera.position.copy(target).addScaledVector(from.normalize(), away);
    controls.update();
    onMove();
  };
  const direction = () => camera.position.clone().sub(controls.target);

  return {
    get camera() {
      return camera;
    },
    prepare,
    /** What there is to see. */
    surround(box: Box3): void {
      box.getBoundingSphere(around);
      around.radius = Math.max(around.radius, 1e-6);
      controls.minDistance = around.radius / 500;
      controls.maxDistance = around.radius * 60;
    },
    resize(width: number, height: number): void {
      aspect = width / Math.max(1, height);
      perspective.aspect = aspect;
      span(parallel.top);
      onMove();
    },
    /** Looks at all of a box, from a standard view or as now. */
    fit(box: Box3, view?: View): void {
      const target = box.getCenter(new Vector3());
      const from = view ? new Vector3(...VIEWS[view].from) : direction();
      if (from.lengthSq() === 0) from.set(1, 1, 1);
      const { right, up } = extent(box, target, from);
      const half = Math.max(up, right / aspect, 1e-9) * AIR;
      span(half);
      parallel.zoom = 1;
      const depth = box.getSize(new Vector3()).length() / 2;
      place(from, target, camera === parallel ? depth * 4 : half / HALF + depth * 0.6);
    },
    setParallel(wanted: boolean): void {
      const next = wanted ? parallel : perspective;
      if (next === camera) return;
      const away = distance();
      const half = camera === parallel ? parallel.top / parallel.zoom : away * HALF;
      const from = direction();
      camera = next;
      controls.object = next;
      if (wanted) {
        span(half);
        parallel.zoom = 1;
      }
      place(from, controls.target.clone(), wanted ? Math.max(away, around.radius * 4) : half / HALF);
    },
    /** Turns by an angle to the right and up, in radians. */
    turn(right: number, up: number): void {
      const place = new Spherical().setFromVector3(direction());
      place.theta += right;
      place.phi = Math.min(Math.PI - 0.001, Math.max(0.001, place.phi + up));
      camera.position.setFromSpherical(place).add(controls.target);
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
        span(zoom);
        parallel.zoom = 1;
      }
      const away = position.distanceTo(target); // it may suit a model of quite another size
      controls.minDistance = Math.min(controls.minDistance, away);
      controls.maxDistance = Math.max(controls.maxDistance, away);
      camera.position.copy(position);
      controls.target.copy(target);
      controls.update();
      onMove();
    },
    radius: () => around.radius,
    dispose: () => controls.dispose(),
  };
}

/** Half of what a box covers of the picture, to the right and up, looked at from a direction. */
function extent(box: Box3, middle: Vector3, from: Vector3): { right: number; up: number } {
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
