// Draws the feature edges of a model as lines.
import {
  BufferAttribute,
  type BufferGeometry,
  type Color,
  LineBasicMaterial,
  LineSegments,
  BufferGeometry as Lines,
} from 'three';
import { edgeLinesOf } from './geometry.ts';
import { LAYERS, type Model, trianglesOf } from './load-model.ts';

const MAX_TRIANGLES = 2_000_000;
const MAX_BODIES = 8_000;
const SLICE_MS = 12;

/** Draws the edges of a model. Computes them once per geometry, in short slices that keep the browser responsive. */
export function createEdgeLines(model: Model, color: Color, onUpdate: () => void) {
  const material = new LineBasicMaterial({ color: color, transparent: true, opacity: 0.75 });
  const added: { lines: LineSegments; row: number }[] = [];
  const lineGeometries = new Map<BufferGeometry, Lines>();
  const geometries = new Set(model.bodies.map(({ mesh }) => mesh.geometry));
  const total = [...geometries].reduce((sum, geometry) => sum + trianglesOf(geometry), 0);
  const possible = !model.hasLines && total <= MAX_TRIANGLES && model.bodies.length <= MAX_BODIES;
  let timer = 0;
  let next = 0;
  let linesVisible = false;

  const addNextLines = () => {
    const until = performance.now() + SLICE_MS;
    while (next < model.bodies.length && performance.now() < until) {
      const body = model.bodies[next++];
      const positions = body && edgeLinesOf(body.mesh.geometry);
      if (!positions) continue;
      const geometry =
        lineGeometries.get(body.mesh.geometry) ??
        new Lines().setAttribute('position', new BufferAttribute(positions, 3));
      lineGeometries.set(body.mesh.geometry, geometry);
      const lines = new LineSegments(geometry, material);
      lines.layers.set(LAYERS.lines);
      lines.raycast = () => {};
      lines.visible = linesVisible;
      body.mesh.add(lines);
      lines.updateMatrixWorld();
      added.push({ lines, row: body.row });
    }
    onUpdate();
    timer = next < model.bodies.length ? window.setTimeout(addNextLines, 0) : 0;
  };

  return {
    possible: possible || model.hasLines,
    show(visible: boolean): void {
      linesVisible = visible;
      for (const { lines } of added) lines.visible = visible;
      if (visible && possible && next === 0) timer = window.setTimeout(addNextLines, 0);
    },
    setColor: (color: Color): void => {
      material.color.copy(color);
    },
    dispose(): void {
      clearTimeout(timer);
      material.dispose();
      for (const geometry of lineGeometries.values()) geometry.dispose();
    },
  };
}
