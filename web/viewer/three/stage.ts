// The stage on which a model is shown. This folder alone knows the 3D library, and is fetched when the first model is opened.
import { type Box3, Box3Helper, type Color, LineBasicMaterial, type Mesh, Raycaster, Scene, Vector2, Vector3, WebGLRenderer } from 'three';
import { endOf } from '../../ui/tree-rows.ts';
import { AXES, type Axis, type Box, DIRECTIONS, type Point, toMillimetres, type View } from '../space.ts';
import { eye, type Pose } from './eye.ts';
import { coloursOf, lights, selectedMaterial } from './lights.ts';
import { modelLines } from './lines.ts';
import { boxOf, loadModel, type Model } from './load-model.ts';
import { type Cut, section } from './section.ts';

export type { Cut, Pose };
/** What is to be seen; the stage draws the difference. */
export type Shown = { hidden: ReadonlySet<number>; selected: number | null; cut: Cut | null; lines: boolean; parallel: boolean; measured: boolean };
/** A picture was drawn: where the axes point on it, and where the three lengths of the measured box are to be written, in CSS pixels. */
export type Frame = { axes: Record<Axis, readonly [x: number, y: number]>; lengths: { axis: Axis; x: number; y: number }[] };
export type Stage = Awaited<ReturnType<typeof openStage>>;

/** Shows a GLB in an element, and draws only when something has changed. Throws when the browser has no WebGL or the file is none. */
export async function openStage(host: HTMLElement, data: ArrayBuffer, onFrame: (frame: Frame) => void) {
  const model = await loadModel(data);
  const renderer = makeRenderer(model);
  const canvas = renderer.domElement;
  host.prepend(canvas);
  const scene = new Scene();
  const { sky, lamps } = lights();
  scene.add(model.root, sky, lamps);
  const whole = boxOf(model.root);
  let colours = coloursOf(host);
  const accented = selectedMaterial(colours.accent);
  const lines = modelLines(model, colours.edge, () => draw());
  const cutting = section(Math.max(1e-6, whole.getSize(new Vector3()).length() / 2));
  const measured = new Box3Helper(whole.clone(), colours.accent);
  const decoration = new Scene();
  decoration.add(measured);
  let shown: Shown = { hidden: new Set(), selected: null, cut: null, lines: false, parallel: false, measured: false };
  let waiting = 0;
  let watching: ((pose: Pose) => void) | null = null;

  const draw = () => {
    waiting ||= requestAnimationFrame(drawNow);
  };
  const view = eye(canvas, () => {
    watching?.(view.pose());
    draw();
  });
  view.surround(whole);

  function drawNow(): void {
    waiting = 0;
    view.prepare();
    const { camera } = view;
    lamps.quaternion.copy(camera.quaternion);
    renderer.clear();
    renderer.clippingPlanes = shown.cut ? [cutting.plane] : [];
    if (shown.cut) cutting.count(renderer, scene, camera);
    camera.layers.enableAll();
    renderer.render(scene, camera);
    renderer.clippingPlanes = [];
    if (shown.cut) cutting.drawCap(renderer, camera);
    if (shown.measured) renderer.render(decoration, camera);
    onFrame({ axes: axesOn(camera.matrixWorldInverse), lengths: shown.measured ? lengthsOn(measured.box, (at) => pixels(at)) : [] });
  }
  function pixels(point: Vector3): readonly [number, number] {
    const { x, y } = point.clone().project(view.camera);
    return [((x + 1) / 2) * canvas.clientWidth, ((1 - y) / 2) * canvas.clientHeight];
  }

  const select = (row: number | null) => {
    const end = row === null ? 0 : endOf(model.rows, row);
    for (const { mesh, row: of } of model.bodies) {
      const inside = row !== null && of >= row && of < end;
      paint(mesh, inside ? accented : null);
    }
  };
  const recolour = () => {
    colours = coloursOf(host);
    accented.color.copy(colours.accent);
    accented.emissive.copy(colours.accent);
    lines.colour(colours.edge);
    lineColour(measured, colours.accent);
    cutting.colour(colours.cut, colours.edge);
    draw();
  };
  recolour();
  const scheme = matchMedia('(prefers-color-scheme: dark)');
  scheme.addEventListener('change', recolour);
  const sizes = new ResizeObserver(() => {
    const { clientWidth: width, clientHeight: height } = host;
    if (width === 0 || height === 0) return;
    renderer.setSize(width, height, false);
    view.resize(width, height);
    cancelAnimationFrame(waiting);
    drawNow(); // a canvas of another size is empty: drawn at once, or it flickers
  });
  renderer.setSize(host.clientWidth, host.clientHeight, false);
  view.resize(host.clientWidth, Math.max(1, host.clientHeight));
  sizes.observe(host);
  const boxOfRow = (row: number | null): Box3 => (row === null ? whole : boxOf(model.objects[row] ?? model.root));
  const visibleBox = (): Box3 => {
    const box = boxOf(model.root, true);
    return box.isEmpty() ? whole : box;
  };

  return {
    rows: model.rows,
    triangles: model.triangles,
    hasLines: lines.possible,
    canvas,
    show(wanted: Shown): void {
      for (const [row, object] of model.objects.entries()) object.visible = !wanted.hidden.has(row);
      if (wanted.selected !== shown.selected) select(wanted.selected);
      if (wanted.parallel !== shown.parallel) view.setParallel(wanted.parallel);
      if (wanted.cut) cutting.place(wanted.cut, whole.getCenter(new Vector3()));
      lines.show(wanted.lines);
      measured.box.copy(boxOfRow(wanted.selected));
      shown = wanted;
      draw();
    },
    /** The box around the model or one row, in mm. */
    measure(row: number | null): Box | null {
      const { min, max } = boxOfRow(row);
      return boxOfRow(row).isEmpty() ? null : toMillimetres(min.toArray() as Point, max.toArray() as Point);
    },
    /** Looks at one row, or all that is not hidden. */
    fit: (row: number | null, from?: View): void => view.fit(row === null ? visibleBox() : boxOfRow(row), from),
    turn: view.turn,
    zoom: view.zoom,
    /** The row of the body at a place of the canvas, in CSS pixels; null where there is none. */
    pick(x: number, y: number): number | null {
      const at = new Vector2((x / canvas.clientWidth) * 2 - 1, 1 - (y / canvas.clientHeight) * 2);
      const ray = new Raycaster();
      ray.setFromCamera(at, view.camera);
      const hits = ray.intersectObjects(
        model.bodies.filter(({ mesh }) => isSeen(mesh)).map(({ mesh }) => mesh),
        false,
      );
      const hit = hits.find(({ point }) => !shown.cut || cutting.plane.distanceToPoint(point) >= 0);
      return model.bodies.find(({ mesh }) => mesh === hit?.object)?.row ?? null;
    },
    pose: view.pose,
    radius: view.radius,
    /** Looks from where another stage does; nobody is told. */
    follow(pose: Pose): void {
      const told = watching;
      watching = null;
      view.setPose(pose);
      watching = told;
    },
    watch(told: ((pose: Pose) => void) | null): void {
      watching = told;
    },
    dispose(): void {
      cancelAnimationFrame(waiting);
      waiting = -1; // nothing is drawn from now on
      sizes.disconnect();
      scheme.removeEventListener('change', recolour);
      view.dispose();
      lines.dispose();
      cutting.dispose();
      accented.dispose();
      measured.dispose();
      model.dispose();
      renderer.dispose();
      renderer.forceContextLoss();
      canvas.remove();
    },
  };
}

function makeRenderer(model: Model): WebGLRenderer {
  try {
    const renderer = new WebGLRenderer({ antialias: true, alpha: true, stencil: true, powerPreference: 'high-performance' });
    renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    renderer.setClearAlpha(0);
    renderer.autoClear = false;
    return renderer;
  } catch (error) {
    model.dispose();
    throw error;
  }
}

const plainMaterials = new WeakMap<Mesh, Mesh['material']>();

function paint(mesh: Mesh, material: Mesh['material'] | null): void {
  const plain = plainMaterials.get(mesh) ?? mesh.material;
  plainMaterials.set(mesh, plain);
  mesh.material = material ?? plain;
}

function isSeen(mesh: Mesh): boolean {
  for (let object: Mesh['parent'] = mesh; object; object = object.parent) if (!object.visible) return false;
  return true;
}

function lineColour({ material }: Box3Helper, colour: Color): void {
  if (material instanceof LineBasicMaterial) material.color.copy(colour);
}

/** Where the design axes point on the picture: to the right and down, of length one at most. */
function axesOn(view: { elements: readonly number[] }): Frame['axes'] {
  const onPicture = (axis: Axis) => {
    const [x, y, z] = DIRECTIONS[axis];
    const e = view.elements;
    return [(e[0] ?? 0) * x + (e[4] ?? 0) * y + (e[8] ?? 0) * z, -((e[1] ?? 0) * x + (e[5] ?? 0) * y + (e[9] ?? 0) * z)] as const;
  };
  return { x: onPicture('x'), y: onPicture('y'), z: onPicture('z') };
}

/** For each axis the middle of that edge of the box, of four, which is farthest from the middle of the picture of the box. */
function lengthsOn(box: Box3, pixels: (point: Vector3) => readonly [number, number]): Frame['lengths'] {
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
