// The placing stage: shows components at their placements, and moves the selected one with a gizmo.
import { Box3, type Matrix4, type Mesh, type Object3D, type PerspectiveCamera, Scene, WebGLRenderer } from 'three';
import type { Entity, Rows } from '../../../subgraphs/core/domain/measure/entity.ts';
import type { MeasureData } from '../../../subgraphs/core/domain/measure/measure-data.ts';
import type { View } from '../space.ts';
import { createCameraRig } from './camera.ts';
import { pointsOf } from './frame-around.ts';
import { createGroundGrid } from './ground-grid.ts';
import { createHighlights } from './highlights.ts';
import { createLights, createSelectionMaterial, readColors } from './lights.ts';
import { boxOf } from './load-model.ts';
import { matrixOf, rowsOf } from './placement-matrix.ts';
import { createPlacingGizmo, type GizmoSettings } from './placing-gizmo.ts';
import { createPlacingPicker } from './placing-picker.ts';
import { disposeShape, loadShape, meshesOf, type Shape } from './placing-shape.ts';

/** A component at a place: three rows of a matrix in mm, Z up. `shape` names its shape. */
export type PlacedPart = { id: string; shape: string; placement: Rows };
/** `turn` and `move` show a gizmo on the selected part; `pick` picks faces and edges. */
export type PlacingSettings = Omit<GizmoSettings, 'mode'> & { mode: GizmoSettings['mode'] | 'pick' };
/** A picked face or edge in the coordinates of the assembly; `entity` is null for a part without exact data. */
export type PickedEntity = { id: string; entity: Entity | null };

export type PlacingEvents = {
  onSelect: (id: string | null) => void;
  /** While a part is dragged, at most once per frame; null at the end. */
  onMove: (placement: Rows | null) => void;
  /** When a part was dragged. */
  onPlace: (id: string, placement: Rows) => void;
  onPick: (picked: PickedEntity) => void;
};
export type PlacingStage = ReturnType<typeof openPlacingStage>;

/** A part on the stage, with the box around it in the coordinates of the stage. */
export type Placed = PlacedPart & { group: Object3D; meshes: Mesh[]; box: Box3 };

const MAX_CLICK_PIXELS = 4; // a pointer that moves farther rotates the view

/** Opens an empty stage in an element; draws only after changes. Throws if the browser lacks WebGL. */
export function openPlacingStage(host: HTMLElement, events: PlacingEvents) {
  const renderer = new WebGLRenderer({ antialias: true, alpha: true, powerPreference: 'high-performance' });
  renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
  renderer.setClearAlpha(0);
  const canvas = renderer.domElement;
  host.prepend(canvas);
  const scene = new Scene();
  const { sky, lamps } = createLights();
  scene.add(sky, lamps);
  let colors = readColors(host);
  const selectionMaterial = createSelectionMaterial(colors.accent);
  const grid = createGroundGrid(scene);

  const shapes = new Map<string, Shape>();
  const boxes = new Map<string, Box3>();
  const placed = new Map<string, Placed>();
  let wanted: readonly PlacedPart[] = [];
  let selected: string | null = null;
  let settings: PlacingSettings = { mode: 'move', millimeters: 1, degrees: 15, axes: 'assembly' };
  // a drag keeps its part, also when another one is selected meanwhile
  let dragged: { part: Placed; start: Matrix4; hasMoved: boolean } | null = null;
  let pressedAt: { x: number; y: number } | null = null;
  let wasFitted = false;
  let isDisposed = false;
  let frameRequest = 0;
  let hoverRequest = 0;

  const draw = () => {
    if (!isDisposed) frameRequest ||= requestAnimationFrame(drawNow);
  };
  const selectedPart = () => (selected === null ? undefined : placed.get(selected));
  const gizmo = createPlacingGizmo(canvas, scene, {
    onChange: draw,
    onStart: () => {
      pressedAt = null; // a press on the gizmo selects nothing
      const part = selectedPart();
      if (part) dragged = { part, start: part.group.matrix.clone(), hasMoved: false };
    },
    onDrag: (movement) => {
      if (!dragged) return;
      setMatrix(dragged.part, movement.multiply(dragged.start));
      dragged.hasMoved = true;
      draw();
    },
    onEnd: () => {
      const { part, start } = dragged ?? {};
      dragged = null;
      events.onMove(null);
      if (part && start && placed.get(part.id) === part && !part.group.matrix.equals(start))
        events.onPlace(part.id, rowsOf(part.group.matrix));
      attachGizmo();
    },
  });
  const cameraRig = createCameraRig(canvas, draw);
  const highlights = createHighlights(draw);
  const picker = createPlacingPicker({
    canvas,
    camera: () => {
      cameraRig.setClippingPlanes(); // the camera may have moved since the last frame
      return cameraRig.camera as PerspectiveCamera;
    },
    placed,
    shapes,
  });

  function drawNow(): void {
    frameRequest = 0;
    if (dragged?.hasMoved) {
      events.onMove(rowsOf(dragged.part.group.matrix));
      dragged.hasMoved = false;
    }
    const bounds = grid.addTo(wholeBox());
    if (!bounds.isEmpty()) cameraRig.setBounds(bounds);
    cameraRig.setClippingPlanes();
    const { camera } = cameraRig;
    gizmo.setCamera(camera);
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
    const part = selectedPart();
    const { mode } = settings;
    if (!part || mode === 'pick') gizmo.detach();
    else gizmo.attach(part.group.matrix, { ...settings, mode });
    draw();
  }

  function update(): void {
    const shapeOf = new Map(wanted.map(({ id, shape }) => [id, shape]));
    for (const part of placed.values())
      if (shapeOf.get(part.id) !== part.shape) {
        scene.remove(part.group);
        placed.delete(part.id);
      }
    for (const each of wanted) {
      const part = placed.get(each.id) ?? addPart(each);
      if (part && part !== dragged?.part) setMatrix(part, matrixOf(each.placement));
    }
    grid.update(wholeBox(), colors.edge);
    attachGizmo();
  }

  /** Adds a part; undefined until its shape is there. */
  function addPart(wantedPart: PlacedPart): Placed | undefined {
    const shape = shapes.get(wantedPart.shape);
    if (!shape) return;
    const group = shape.model.root.clone();
    group.matrixAutoUpdate = false;
    const part = { ...wantedPart, group, meshes: meshesOf(group), box: new Box3() };
    placed.set(part.id, part);
    scene.add(group);
    paint(part);
    return part;
  }

  const onPointerDown = (event: PointerEvent) => {
    pressedAt = event.isPrimary && event.button === 0 ? { x: event.clientX, y: event.clientY } : null;
  };
  const onPointerUp = ({ clientX, clientY }: PointerEvent) => {
    const from = pressedAt;
    pressedAt = null;
    if (!from || Math.hypot(clientX - from.x, clientY - from.y) > MAX_CLICK_PIXELS) return;
    if (settings.mode !== 'pick') return events.onSelect(picker.partAt(clientX, clientY));
    const picked = picker.entityAt(clientX, clientY);
    if (!picked) return;
    if (picked.found) highlights.pick(picked.mesh, picked.found);
    events.onPick({ id: picked.id, entity: picked.found?.entity ?? null });
  };
  const onPointerMove = ({ clientX, clientY, buttons, pointerType }: PointerEvent) => {
    if (settings.mode !== 'pick' || buttons !== 0 || pointerType === 'touch') return;
    cancelAnimationFrame(hoverRequest);
    hoverRequest = requestAnimationFrame(() => {
      const under = picker.entityAt(clientX, clientY);
      highlights.hover(under?.found ? { mesh: under.mesh, found: under.found } : null);
    });
  };
  const onPointerLeave = () => {
    cancelAnimationFrame(hoverRequest);
    highlights.hover(null);
  };
  canvas.addEventListener('pointerdown', onPointerDown, true);
  canvas.addEventListener('pointerup', onPointerUp);
  canvas.addEventListener('pointermove', onPointerMove);
  canvas.addEventListener('pointerleave', onPointerLeave);

  const updateColors = () => {
    colors = readColors(host);
    selectionMaterial.color.copy(colors.accent);
    selectionMaterial.emissive.copy(colors.accent);
    highlights.setColor(colors.accent);
    for (const { lines } of shapes.values()) lines.color.copy(colors.edge);
    grid.update(wholeBox(), colors.edge);
    draw();
  };
  updateColors();
  const colorScheme = matchMedia('(prefers-color-scheme: dark)');
  colorScheme.addEventListener('change', updateColors);
  const resizeObserver = new ResizeObserver(() => {
    const { clientWidth: width, clientHeight: height } = host;
    if (width === 0 || height === 0) return;
    renderer.setSize(width, height, false);
    cameraRig.resize(width, height);
    cancelAnimationFrame(frameRequest);
    drawNow(); // resizing clears the canvas: waiting for the next frame would flicker
  });
  resizeObserver.observe(host);

  const fitView = (view?: View) => {
    const part = selectedPart();
    const points = pointsOf(view || !part ? [...placed.values()].map(({ group }) => group) : [part.group]);
    if (points) cameraRig.fit(points, view);
  };

  return {
    /** Adds a shape; parts that wait for it appear. Throws if the GLB is invalid. */
    async addShape(shape: string, glb: ArrayBuffer): Promise<void> {
      const loaded = await loadShape(glb);
      if (isDisposed) return disposeShape(loaded);
      loaded.lines.color.copy(colors.edge);
      shapes.set(shape, loaded);
      boxes.set(shape, boxOf(loaded.model.root));
      update();
      if (!wasFitted) fitView('iso');
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
      const [before, after] = [selectedPart(), placed.get(id ?? '')];
      selected = id;
      for (const part of [before, after]) if (part) paint(part);
      attachGizmo();
    },
    set(next: PlacingSettings): void {
      settings = next;
      highlights.clear();
      for (const part of placed.values()) paint(part);
      attachGizmo();
    },
    /** Forgets the picked faces and edges, except the last `keep` ones. */
    clearPicks: highlights.clear,
    /** Fits the selected part, or everything from a standard view. */
    fit(view?: View): void {
      wasFitted = placed.size > 0;
      fitView(view);
    },
    rotate: cameraRig.rotate,
    zoom: cameraRig.zoom,
    pointAt: picker.pointAt,
    dispose(): void {
      isDisposed = true;
      cancelAnimationFrame(frameRequest);
      cancelAnimationFrame(hoverRequest);
      resizeObserver.disconnect();
      colorScheme.removeEventListener('change', updateColors);
      gizmo.dispose();
      cameraRig.dispose();
      grid.dispose();
      highlights.dispose();
      for (const shape of shapes.values()) disposeShape(shape);
      selectionMaterial.dispose();
      renderer.dispose();
      renderer.forceContextLoss();
      canvas.remove();
    },
  };
}
