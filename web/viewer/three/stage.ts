// The stage on which a model is shown. This folder alone knows the 3D library, and is fetched when the first model is opened.
import { type Box3, Box3Helper, type Color, LineBasicMaterial, Scene, Vector2, Vector3, WebGLRenderer } from 'three';
import type { Taken } from '../measure/measurement.ts';
import { type Box, type Point, toMillimetres, type View } from '../space.ts';
import { paintRow, rowAt } from './bodies.ts';
import { eye, type Pose } from './eye.ts';
import { type Frame, frameOf } from './frame.ts';
import { coloursOf, lights, selectedMaterial } from './lights.ts';
import { modelLines } from './lines.ts';
import { boxOf, loadModel, type Model } from './load-model.ts';
import { isTooLarge } from './mesh.ts';
import { type Pointed, picking } from './picking.ts';
import { type Cut, section } from './section.ts';

export type { Cut, Frame, Pointed, Pose };
/** What is to be seen; the stage draws the difference. */
export type Shown = {
  hidden: ReadonlySet<number>;
  selected: number | null;
  cut: Cut | null;
  lines: boolean;
  parallel: boolean;
  measured: boolean;
};
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
  let places: ReturnType<typeof picking> | null = null;

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
    onFrame(frameOf(camera, canvas, shown.measured ? measured.box : null));
  }

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
    chordError: model.chordError,
    /** A part is so large that its vertices and edges are not found. */
    coarse: model.bodies.some(({ mesh }) => isTooLarge(mesh.geometry)),
    hasLines: lines.possible,
    canvas,
    show(wanted: Shown): void {
      for (const [row, object] of model.objects.entries()) object.visible = !wanted.hidden.has(row);
      if (wanted.selected !== shown.selected) paintRow(model, wanted.selected, accented);
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
      return rowAt(model, at, view.camera, shown.cut ? cutting.plane : null);
    },
    /** Makes ready to find places on the model, a few milliseconds at a time; `onReady` is called when it is. Once is enough. */
    beginPointing(onReady: () => void): void {
      places ??= picking(model, onReady);
    },
    /** The place that is meant at a place of the canvas, and what is seen there; `reach`: how near a vertex has to be, all in CSS pixels. */
    point: (x: number, y: number, reach: number): Pointed | null =>
      places?.point(
        { x, y, reach, width: canvas.clientWidth, height: canvas.clientHeight },
        view.camera,
        shown.cut ? cutting.plane : null,
      ) ?? null,
    take: (pointed: Pointed): Taken | null => places?.take(pointed) ?? null,
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
      places?.dispose();
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
    const renderer = new WebGLRenderer({
      antialias: true,
      alpha: true,
      stencil: true,
      powerPreference: 'high-performance',
    });
    renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    renderer.setClearAlpha(0);
    renderer.autoClear = false;
    return renderer;
  } catch (error) {
    model.dispose();
    throw error;
  }
}

function lineColour({ material }: Box3Helper, colour: Color): void {
  if (material instanceof LineBasicMaterial) material.color.copy(colour);
}
