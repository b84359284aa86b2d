// The stage: canvas, camera, lights and model. Only this folder imports the 3D library, which is loaded on demand.
import { type Box3, Box3Helper, type Color, LineBasicMaterial, Scene, Vector2, Vector3, WebGLRenderer } from 'three';
import type { MeasureData } from '../../../subgraphs/core/domain/measure/measure-data.ts';
import type { ComparedPart } from '../compare-parts.ts';
import type { PickedPoint } from '../measure/measurement.ts';
import { partPaths, type SceneCamera } from '../scene.ts';
import { type Box, boxInMm, type Point, pointInGltf, pointInMm, type View } from '../space.ts';
import { INITIAL_VIEW, type ViewState } from '../view-state.ts';
import { colorsOfRow, createPainter, measureParts, measureRow, meshesOfRow, pickRow } from './bodies.ts';
import { createCameraRig, type Pose } from './camera.ts';
import { createEdgeLines } from './edge-lines.ts';
import { createExplosion } from './explode.ts';
import { type Frame, overlayFrame } from './frame.ts';
import { pointsOf } from './frame-around.ts';
import { isTooLarge } from './geometry.ts';
import { createLights, createSelectionMaterial, readColors } from './lights.ts';
import { boxOf, loadModel, type Model } from './load-model.ts';
import { createPicker, type HoveredPoint } from './picker.ts';
import { pointOf } from './point-of.ts';
import { createSections } from './sections.ts';

export type { Frame, HoveredPoint, Pose };
export type Stage = Awaited<ReturnType<typeof openStage>>;

const PAINTED = ['selected', 'marked', 'transparent', 'tints', 'differences'] as const;
const CUT = ['hidden', 'explode', 'tints'] as const;

/** Shows a GLB in an element; draws only after changes. Throws if the browser lacks WebGL or the file is invalid. */
export async function openStage(host: HTMLElement, data: ArrayBuffer, onFrame: (frame: Frame) => void) {
  const model = await loadModel(data);
  const renderer = createRenderer(model);
  const canvas = renderer.domElement;
  host.prepend(canvas);
  const scene = new Scene();
  const { sky, lamps } = createLights();
  scene.add(model.root, sky, lamps);
  const modelBox = boxOf(model.root);
  let colors = readColors(host);
  const selectionMaterial = createSelectionMaterial(colors.accent);
  const lines = createEdgeLines(model, colors.edge, () => draw());
  const radius = Math.max(1e-6, modelBox.getSize(new Vector3()).length() / 2);
  const sections = createSections(model, modelBox.getCenter(new Vector3()), radius);
  const painter = createPainter(model, selectionMaterial);
  const explode = createExplosion(model);
  const boxHelper = new Box3Helper(modelBox.clone(), colors.accent);
  const overlayScene = new Scene();
  overlayScene.add(boxHelper);
  let viewState: ViewState = { ...INITIAL_VIEW, lines: false };
  let frameRequest = 0;
  let poseListener: ((pose: Pose) => void) | null = null;
  let picker: ReturnType<typeof createPicker> | null = null;

  const draw = () => {
    frameRequest ||= requestAnimationFrame(drawNow);
  };
  const cameraRig = createCameraRig(canvas, () => {
    poseListener?.(cameraRig.pose());
    draw();
  });
  cameraRig.setBounds(modelBox);

  function drawNow(): void {
    frameRequest = 0;
    cameraRig.setClippingPlanes();
    const { camera } = cameraRig;
    lamps.quaternion.copy(camera.quaternion);
    renderer.clear();
    renderer.clippingPlanes = sections.planes;
    camera.layers.enableAll();
    renderer.render(scene, camera);
    renderer.clippingPlanes = [];
    sections.drawCaps(renderer, camera);
    if (viewState.dimensions) renderer.render(overlayScene, camera);
    onFrame(overlayFrame(camera, canvas, viewState.dimensions ? boxHelper.box : null));
  }

  const updateColors = () => {
    colors = readColors(host);
    selectionMaterial.color.copy(colors.accent);
    selectionMaterial.emissive.copy(colors.accent);
    lines.setColor(colors.edge);
    setLineColor(boxHelper, colors.accent);
    sections.setColor(colors.edge);
    draw();
  };
  updateColors();
  const colorScheme = matchMedia('(prefers-color-scheme: dark)');
  colorScheme.addEventListener('change', updateColors);
  const resize = () => {
    const { clientWidth: width, clientHeight: height } = host;
    if (width === 0 || height === 0) return;
    renderer.setSize(width, height, false);
    cameraRig.resize(width, height);
    cancelAnimationFrame(frameRequest);
    drawNow(); // resizing clears the canvas: waiting for the next frame would flicker
  };
  resize();
  const resizeObserver = new ResizeObserver(resize);
  resizeObserver.observe(host);
  const boxOfRow = (row: number | null): Box3 => (row === null ? modelBox : boxOf(model.objects[row] ?? model.root));

  return {
    rows: model.rows,
    triangles: model.triangles,
    chordError: model.chordError,
    /** A part is too large to find its vertices and edges. */
    edgesIncomplete: model.bodies.some(({ mesh }) => isTooLarge(mesh.geometry)),
    hasLines: lines.possible,
    hasColors: model.hasColors,
    canvas,
    show(next: ViewState): void {
      for (const [row, object] of model.objects.entries()) object.visible = !next.hidden.has(row);
      if (PAINTED.some((key) => next[key] !== viewState[key])) painter.paint(next);
      if (next.parallel !== viewState.parallel) cameraRig.setParallel(next.parallel);
      if (next.explode !== viewState.explode) {
        explode(next.explode ?? 0);
        cameraRig.setBounds(boxOf(model.root));
      }
      sections.setCuts(
        next.cuts,
        next.tints,
        CUT.some((key) => next[key] !== viewState[key]),
      );
      lines.show(next.lines);
      boxHelper.box.copy(boxOfRow(next.selected));
      viewState = next;
      draw();
    },
    /** Returns the bounding box of the model or one row, in mm. */
    boundingBox(row: number | null): Box | null {
      const { min, max } = boxOfRow(row);
      return boxOfRow(row).isEmpty() ? null : boxInMm(pointOf(min), pointOf(max));
    },
    /** Returns volume (mm³) and area (mm²) of the triangles of a row. */
    measureRow: (row: number): { volume: number; area: number } => measureRow(model, row),
    /** Returns the parts for a comparison with another model. */
    comparedParts(): ComparedPart[] {
      const paths = partPaths(model.rows);
      return measureParts(model).map(({ row, ...values }) => {
        const { min, max } = boxOfRow(row);
        const box = boxInMm(pointOf(min), pointOf(max));
        return { row, path: paths[row] ?? '', box, ...values };
      });
    },
    /** Returns the colors of a row, e.g. "#c02020". */
    colorsOfRow: (row: number): string[] => colorsOfRow(model, row),
    /** Returns the meshes of a row, by their indexes in the file. */
    meshesOfRow: (row: number): number[] => meshesOfRow(model, row),
    /** Converts a point of a row (mm, Z up) to the coordinates of the model. */
    pointInModel(row: number, at: Point): Point {
      const object = model.objects[row];
      if (!object) return at;
      const point = new Vector3(...at).applyMatrix4(object.matrixWorld);
      return pointInMm(pointOf(point));
    },
    /** Fits one row, several rows, or everything visible into the view. */
    fit(rows: number | readonly number[] | null, from?: View): void {
      resize(); // the part tree may have just appeared beside the canvas
      const objects = [rows ?? []].flat().flatMap((row) => model.objects[row] ?? []);
      const points = objects.length > 0 ? pointsOf(objects) : pointsOf([model.root], true);
      const visit = points ?? pointsOf([model.root]);
      if (visit) cameraRig.fit(visit, from);
    },
    /** Returns the picture of the view as PNG with a transparent background. */
    async picture(): Promise<Blob> {
      cancelAnimationFrame(frameRequest);
      drawNow(); // the browser may have cleared what was drawn before
      const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
      if (!blob) throw new Error('The browser cannot write the picture.');
      return blob;
    },
    rotate: cameraRig.rotate,
    zoom: cameraRig.zoom,
    /** Returns the row of the body at a canvas position in CSS pixels; null if there is none. */
    pickRow(x: number, y: number): number | null {
      cameraRig.setClippingPlanes(); // the camera may have moved since the last frame
      const at = new Vector2((x / canvas.clientWidth) * 2 - 1, 1 - (y / canvas.clientHeight) * 2);
      return pickRow(model, at, cameraRig.camera, sections.planes);
    },
    /** Builds the index for `pointAt` in short time slices, then calls `onReady`. Later calls do nothing. */
    preparePicking(onReady: () => void): void {
      picker ??= createPicker(model, onReady);
    },
    /** Returns the point at a canvas position; `reach` is the snap radius of a vertex. All in CSS pixels. */
    pointAt: (x: number, y: number, reach: number): HoveredPoint | null =>
      picker?.pointAt(
        { x, y, reach, width: canvas.clientWidth, height: canvas.clientHeight },
        cameraRig.camera,
        sections.planes,
      ) ?? null,
    pickPoint: (hovered: HoveredPoint): PickedPoint | null => picker?.pick(hovered) ?? null,
    /** Measures the exact faces and edges from now on. `preparePicking` must have been called. */
    setMeasureData: (data: MeasureData): void => picker?.setMeasureData(data),
    pose: cameraRig.pose,
    camera(): SceneCamera {
      const { position, target, zoom, parallel } = cameraRig.pose();
      const inMm = (point: Vector3) => pointInMm(pointOf(point));
      return { position: inMm(position), target: inMm(target), height: parallel ? zoom * 2000 : null };
    },
    /** Moves the camera; `show` must have set the projection. */
    setCamera({ position, target, height }: SceneCamera): void {
      cameraRig.setPose({
        position: new Vector3(...pointInGltf(position)),
        target: new Vector3(...pointInGltf(target)),
        zoom: height === null ? 1 : height / 2000,
        parallel: height !== null,
      });
    },
    radius: cameraRig.radius,
    /** Takes the pose of another stage without notifying the listener. */
    follow(pose: Pose): void {
      const listener = poseListener;
      poseListener = null;
      cameraRig.setPose(pose);
      poseListener = listener;
    },
    setPoseListener(listener: ((pose: Pose) => void) | null): void {
      poseListener = listener;
    },
    dispose(): void {
      cancelAnimationFrame(frameRequest);
      frameRequest = -1; // stops all drawing
      resizeObserver.disconnect();
      colorScheme.removeEventListener('change', updateColors);
      picker?.dispose();
      cameraRig.dispose();
      lines.dispose();
      sections.dispose();
      painter.dispose();
      selectionMaterial.dispose();
      boxHelper.dispose();
      model.dispose();
      renderer.dispose();
      renderer.forceContextLoss();
      canvas.remove();
    },
  };
}

function createRenderer(model: Model): WebGLRenderer {
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

function setLineColor({ material }: Box3Helper, color: Color): void {
  if (material instanceof LineBasicMaterial) material.color.copy(color);
}
