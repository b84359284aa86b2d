// The placing stage: shows components at their placements, and moves the selected one with a gizmo.
import {
  Box3,
  BufferGeometry,
  GridHelper,
  Line,
  LineBasicMaterial,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  Object3D,
  PerspectiveCamera,
  Plane,
  Quaternion,
  Raycaster,
  Scene,
  Vector2,
  Vector3,
  WebGLRenderer,
} from 'three';
import { TransformControls } from 'three/addons/controls/TransformControls.js';
import type { Entity, Rows } from '../../../subgraphs/core/domain/measure/entity.ts';
import type { MeasureData } from '../../../subgraphs/core/domain/measure/measure-data.ts';
import { type Point, pointInMm, type View } from '../space.ts';
import { createCameraRig } from './camera.ts';
import { createLights, createSelectionMaterial, readColors } from './lights.ts';
import { boxOf } from './load-model.ts';
import { rowsInMm } from './picker.ts';
import { disposeShape, entityNear, type FoundEntity, loadShape, meshesOf, type Shape } from './placing-shape.ts';

/** A component at a place: three rows of a matrix in mm, Z up. `shape` names its shape. */
export type PlacedPart = { id: string; shape: string; placement: Rows };
/** `turn` and `move` show a gizmo on the selected part; `pick` picks faces and edges. */
export type PlacingMode = 'move' | 'turn' | 'pick';
/** The steps of the gizmo in mm and degrees; 0 for none. The gizmo has the axes of the assembly or of the part. */
export type GizmoSettings = { mode: PlacingMode; millimeters: number; degrees: number; axes: 'assembly' | 'part' };
/** A picked face or edge in the coordinates of the assembly; `entity` is null for a part without exact data. */
export type PickedEntity = { id: string; entity: Entity | null };

export type PlacingEvents = {
  onSelect: (id: string | null) => void;
  /** While a part is dragged, at most once per frame. */
  onMove: (placement: Rows) => void;
  /** When a part was dragged. */
  onPlace: (id: string, placement: Rows) => void;
  onPick: (picked: PickedEntity) => void;
};
export type PlacingStage = ReturnType<typeof openPlacingStage>;

type Placed = PlacedPart & { group: Object3D; meshes: Mesh[]; box: Box3 };

const MAX_CLICK_PIXELS = 4; // a pointer that moves farther rotates the view
const EDGE_PIXELS = 6; // how near to an edge it is picked instead of its face
const MIN_CELLS = 5; // of the grid, from the origin to the farthest part
/** From mm with Z up to meters with Y up, as in GLB files. */
const UPRIGHT = new Matrix4().set(0.001, 0, 0, 0, 0, 0, 0.001, 0, 0, -0.001, 0, 0, 0, 0, 0, 1);
const FROM_UPRIGHT = UPRIGHT.clone().invert();
const UPRIGHT_TURN = new Quaternion().setFromAxisAngle(new Vector3(1, 0, 0), -Math.PI / 2);

/** Opens an empty stage in an element; draws only after changes. Throws if the browser lacks WebGL. */
export function openPlacingStage(host: HTMLElement, events: PlacingEvents) {
  const renderer = new WebGLRenderer({ antialias: true, alpha: true, powerPreference: 'high-performance' });
  renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
  renderer.setClearAlpha(0);
  const canvas = renderer.domElement;
  host.prepend(canvas);
  const scene = new Scene();
  const { sky, lamps } = createLights();
  const proxy = new Object3D(); // what the gizmo moves
  scene.add(sky, lamps, proxy);
  let colors = readColors(host);
  const selectionMaterial = createSelectionMaterial(colors.accent);
  const faceMaterial = new MeshBasicMaterial({ transparent: true, opacity: 0.75, depthTest: true });
  faceMaterial.polygonOffset = true;
  faceMaterial.polygonOffsetFactor = -1;
  const lineMaterial = new LineBasicMaterial({ depthTest: false });
  let grid: GridHelper | null = null;

  const shapes = new Map<string, Shape>();
  const boxes = new Map<string, Box3>();
  const placed = new Map<string, Placed>();
  let wanted: readonly PlacedPart[] = [];
  let selected: string | null = null;
  let settings: GizmoSettings = { mode: 'move', millimeters: 1, degrees: 15, axes: 'assembly' };
  let frameRequest = 0;
  let dragged: { start: Matrix4; proxyInverse: Matrix4 } | null = null;
  let hasMoved = false;
  let pressedAt: { x: number; y: number } | null = null;
  let fitted = false;
  const highlights: Object3D[] = [];
  let frames = 0;

  const draw = () => {
    frameRequest ||= requestAnimationFrame(drawNow);
  };
  // The gizmo receives a press before the camera does, and keeps it from the camera if it was hit.
  const gizmo = new TransformControls(new PerspectiveCamera(), canvas);
  canvas.addEventListener('pointerdown', (event) => {
    if (gizmo.dragging) event.stopImmediatePropagation();
  });
  const cameraRig = createCameraRig(canvas, draw);
  scene.add(gizmo.getHelper());
  gizmo.space = 'local';
  gizmo.size = 0.8;
  gizmo.addEventListener('change', draw);
  gizmo.addEventListener('mouseDown', () => {
    pressedAt = null; // a press on the gizmo selects nothing
    const part = selected === null ? undefined : placed.get(selected);
    if (part) dragged = { start: part.group.matrix.clone(), proxyInverse: proxy.matrixWorld.clone().invert() };
  });
  gizmo.addEventListener('objectChange', () => {
    const part = selected === null ? undefined : placed.get(selected);
    if (!part || !dragged) return;
    proxy.updateMatrixWorld();
    setMatrix(part, proxy.matrixWorld.clone().multiply(dragged.proxyInverse).multiply(dragged.start));
    hasMoved = true;
    draw();
  });
  gizmo.addEventListener('mouseUp', () => {
    const part = selected === null ? undefined : placed.get(selected);
    if (part && dragged && !part.group.matrix.equals(dragged.start)) events.onPlace(part.id, placementOf(part));
    dragged = null;
    attachGizmo();
  });

  function drawNow(): void {
    frameRequest = 0;
    frames++;
    if (hasMoved && selected !== null) {
      const part = placed.get(selected);
      if (part) events.onMove(placementOf(part));
      hasMoved = false;
    }
    const bounds = wholeBox();
    if (grid) bounds.expandByObject(grid);
    if (!bounds.isEmpty()) cameraRig.setBounds(bounds);
    cameraRig.setClippingPlanes();
    const { camera } = cameraRig;
    gizmo.camera = camera;
    lamps.quaternion.copy(camera.quaternion);
    camera.layers.enableAll();
    renderer.render(scene, camera);
  }

  function wholeBox(): Box3 {
    const box = new Box3();
    for (const { box: each } of placed.values()) box.union(each);
    return box;
  }

  function setMatrix(part: Placed, matrix: Matrix4): void {
    part.group.matrix.copy(matrix);
    part.group.updateMatrixWorld(true);
    const box = boxes.get(part.shape);
    if (box) part.box.copy(box).applyMatrix4(matrix);
  }

  function paint(part: Placed): void {
    const bodies = shapes.get(part.shape)?.model.bodies ?? [];
    const isSelected = part.id === selected && settings.mode !== 'pick';
    for (const [at, mesh] of part.meshes.entries())
      mesh.material = isSelected ? selectionMaterial : (bodies[at]?.material ?? mesh.material);
  }

  function attachGizmo(): void {
    if (dragged) return;
    const part = selected === null ? undefined : placed.get(selected);
    draw();
    if (!part || settings.mode === 'pick') {
      gizmo.detach();
      return;
    }
    const rotation = new Quaternion();
    part.group.matrix.decompose(proxy.position, rotation, new Vector3());
    proxy.quaternion.copy(settings.axes === 'part' ? rotation.multiply(UPRIGHT_TURN) : UPRIGHT_TURN);
    proxy.updateMatrixWorld();
    gizmo.setMode(settings.mode === 'turn' ? 'rotate' : 'translate');
    gizmo.setTranslationSnap(settings.millimeters > 0 ? settings.millimeters / 1000 : null);
    gizmo.setRotationSnap(settings.degrees > 0 ? (settings.degrees * Math.PI) / 180 : null);
    gizmo.attach(proxy);
  }

  function update(): void {
    const ids = new Set(wanted.map(({ id }) => id));
    for (const part of placed.values())
      if (!ids.has(part.id)) {
        scene.remove(part.group);
        placed.delete(part.id);
      }
    for (const each of wanted) {
      let part = placed.get(each.id);
      const shape = shapes.get(each.shape);
      if (part && part.shape !== each.shape) {
        scene.remove(part.group);
        placed.delete(each.id);
        part = undefined;
      }
      if (!shape) continue;
      if (!part) {
        const group = shape.model.root.clone();
        group.matrixAutoUpdate = false;
        part = { ...each, group, meshes: meshesOf(group), box: new Box3() };
        placed.set(each.id, part);
        scene.add(group);
        paint(part);
        setMatrix(part, onStage(each.placement));
      } else if (!(dragged && each.id === selected)) setMatrix(part, onStage(each.placement));
    }
    updateGrid();
    attachGizmo();
  }

  function updateGrid(): void {
    const box = wholeBox();
    const reach = box.isEmpty()
      ? 0.1
      : Math.max(...box.min.toArray().map(Math.abs), ...box.max.toArray().map(Math.abs));
    const cell = 10 ** Math.floor(Math.log10(reach / MIN_CELLS));
    const cells = 2 * Math.ceil((reach * 1.5) / cell / 10) * 10; // in tens, so that it seldom changes
    if (grid && grid.userData.size === cell * cells) return;
    if (grid) {
      scene.remove(grid);
      grid.dispose();
    }
    grid = new GridHelper(cell * cells, cells, colors.edge, colors.edge);
    grid.userData.size = cell * cells;
    for (const material of [grid.material].flat()) {
      material.transparent = true;
      material.opacity = 0.13;
      material.depthWrite = false;
    }
    grid.raycast = () => {};
    scene.add(grid);
  }

  function rayAt(clientX: number, clientY: number): Raycaster {
    const { left, top, width, height } = canvas.getBoundingClientRect();
    const ray = new Raycaster();
    ray.setFromCamera(
      new Vector2(((clientX - left) / width) * 2 - 1, 1 - ((clientY - top) / height) * 2),
      cameraRig.camera,
    );
    return ray;
  }

  /** The nearest part along a ray; only parts whose box the ray meets are tested. */
  function hitAt(clientX: number, clientY: number) {
    const ray = rayAt(clientX, clientY);
    const near = [...placed.values()].filter(({ box }) => ray.ray.intersectsBox(box));
    const meshes = near.flatMap((part) => part.meshes.map((mesh, body) => ({ part, mesh, body })));
    const [hit] = ray.intersectObjects(
      meshes.map(({ mesh }) => mesh),
      false,
    );
    const owner = meshes.find(({ mesh }) => mesh === hit?.object);
    return hit && owner ? { ...owner, point: hit.point, distance: hit.distance, triangle: hit.faceIndex ?? 0 } : null;
  }

  function entityAt(clientX: number, clientY: number) {
    const hit = hitAt(clientX, clientY);
    const shape = hit && shapes.get(hit.part.shape);
    if (!hit || !shape) return null;
    const perPixel =
      (2 * hit.distance * Math.tan(((cameraRig.camera as PerspectiveCamera).fov * Math.PI) / 360)) /
      canvas.clientHeight;
    const at = hit.mesh.worldToLocal(hit.point.clone()).toArray() as [number, number, number];
    const reach = EDGE_PIXELS * perPixel * 1000;
    const rows = rowsInMm(hit.mesh.matrixWorld);
    return { ...hit, found: entityNear(shape, hit.body, { triangle: hit.triangle, at, reach, rows }) };
  }

  function clearHighlights(from = 0): void {
    for (const object of highlights.splice(from)) object.removeFromParent();
    draw();
  }

  function highlight(mesh: Mesh, { face, line }: FoundEntity): void {
    const object = face ? new Mesh(face, faceMaterial) : new Line(line ?? new BufferGeometry(), lineMaterial);
    object.raycast = () => {};
    object.renderOrder = 1;
    mesh.add(object);
    object.updateMatrixWorld(true);
    highlights.push(object);
    draw();
  }

  let kept = 0; // highlights of what was picked; further ones are under the pointer
  let hoverRequest = 0;
  const onPointerDown = (event: PointerEvent) => {
    pressedAt = event.isPrimary && event.button === 0 ? { x: event.clientX, y: event.clientY } : null;
  };
  const onPointerUp = ({ clientX, clientY }: PointerEvent) => {
    const from = pressedAt;
    pressedAt = null;
    if (!from || Math.hypot(clientX - from.x, clientY - from.y) > MAX_CLICK_PIXELS) return;
    if (settings.mode !== 'pick') return events.onSelect(hitAt(clientX, clientY)?.part.id ?? null);
    const picked = entityAt(clientX, clientY);
    if (!picked) return;
    clearHighlights(kept);
    if (picked.found) {
      highlight(picked.mesh, picked.found);
      kept = highlights.length;
    }
    events.onPick({ id: picked.part.id, entity: picked.found?.entity ?? null });
  };
  const onPointerMove = ({ clientX, clientY, buttons, pointerType }: PointerEvent) => {
    if (settings.mode !== 'pick' || buttons !== 0 || pointerType === 'touch') return;
    cancelAnimationFrame(hoverRequest);
    hoverRequest = requestAnimationFrame(() => {
      const under = entityAt(clientX, clientY);
      clearHighlights(kept);
      if (under?.found) highlight(under.mesh, under.found);
    });
  };
  canvas.addEventListener('pointerdown', onPointerDown, true);
  canvas.addEventListener('pointerup', onPointerUp);
  canvas.addEventListener('pointermove', onPointerMove);

  const updateColors = () => {
    colors = readColors(host);
    selectionMaterial.color.copy(colors.accent);
    selectionMaterial.emissive.copy(colors.accent);
    faceMaterial.color.copy(colors.accent);
    lineMaterial.color.copy(colors.accent);
    for (const { lines } of shapes.values()) lines.color.copy(colors.edge);
    if (grid) grid.userData.size = 0;
    updateGrid();
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
  const resizeObserver = new ResizeObserver(resize);
  resizeObserver.observe(host);

  const fitView = (view?: View) => {
    const part = selected === null ? undefined : placed.get(selected);
    const box = view || !part ? wholeBox() : part.box;
    if (!box.isEmpty()) cameraRig.fit(box, view);
  };

  return {
    canvas,
    hasShape: (shape: string): boolean => shapes.has(shape),
    /** Adds a shape; parts that wait for it appear. Throws if the GLB is invalid. */
    async addShape(shape: string, glb: ArrayBuffer, measure: MeasureData | null): Promise<void> {
      const loaded = await loadShape(glb, measure);
      if (frameRequest < 0) return disposeShape(loaded);
      loaded.lines.color.copy(colors.edge);
      shapes.set(shape, loaded);
      boxes.set(shape, boxOf(loaded.model.root));
      update();
      if (!fitted) fitView('iso');
    },
    /** Adds exact faces and edges to a shape. */
    setMeasureData(shape: string, measure: MeasureData): void {
      const known = shapes.get(shape);
      if (known) known.measure = measure;
    },
    /** Sets what is shown. Parts whose shape was not added yet wait for it. */
    setParts(parts: readonly PlacedPart[]): void {
      wanted = parts;
      update();
    },
    select(id: string | null): void {
      if (id === selected) return;
      const [before, after] = [placed.get(selected ?? ''), placed.get(id ?? '')];
      selected = id;
      for (const part of [before, after]) if (part) paint(part);
      attachGizmo();
    },
    set(next: GizmoSettings): void {
      settings = next;
      kept = 0;
      clearHighlights();
      for (const part of placed.values()) paint(part);
      attachGizmo();
    },
    /** Forgets the picked faces and edges. */
    clearPicks(): void {
      kept = 0;
      clearHighlights();
    },
    /** Fits the selected part, or everything from a standard view. */
    fit(view?: View): void {
      fitted = true;
      fitView(view);
    },
    rotate: cameraRig.rotate,
    zoom: cameraRig.zoom,
    /** Returns the point under a position of the window: on a part, else on the ground, in mm. */
    pointAt(clientX: number, clientY: number): Point | null {
      const hit = hitAt(clientX, clientY)?.point;
      const point = hit ?? rayAt(clientX, clientY).ray.intersectPlane(new Plane(new Vector3(0, 1, 0)), new Vector3());
      return point && pointInMm(point.toArray() as [number, number, number]);
    },
    /** How many frames were drawn. */
    frames: (): number => frames,
    dispose(): void {
      cancelAnimationFrame(frameRequest);
      cancelAnimationFrame(hoverRequest);
      frameRequest = -1; // stops all drawing
      resizeObserver.disconnect();
      colorScheme.removeEventListener('change', updateColors);
      gizmo.detach();
      gizmo.dispose();
      cameraRig.dispose();
      grid?.dispose();
      for (const shape of shapes.values()) disposeShape(shape);
      for (const material of [selectionMaterial, faceMaterial, lineMaterial]) material.dispose();
      renderer.dispose();
      renderer.forceContextLoss();
      canvas.remove();
    },
  };
}

/** Returns a placement in mm as a matrix of the stage. */
function onStage(rows: Rows): Matrix4 {
  const [a = 1, b = 0, c = 0, d = 0, e = 0, f = 1, g = 0, h = 0, i = 0, j = 0, k = 1, l = 0] = rows;
  const matrix = new Matrix4().set(a, b, c, d, e, f, g, h, i, j, k, l, 0, 0, 0, 1);
  return matrix.premultiply(UPRIGHT).multiply(FROM_UPRIGHT);
}

function placementOf({ group }: Placed): Rows {
  const { elements: m } = group.matrix.clone().premultiply(FROM_UPRIGHT).multiply(UPRIGHT);
  return [0, 1, 2].flatMap((row) => [0, 4, 8, 12].map((column) => m[column + row] ?? 0));
}
