import {
  BufferAttribute,
  type BufferGeometry,
  type Color,
  LineBasicMaterial,
  LineSegments,
  BufferGeometry as Lines,
} from 'three';
import { LAYERS, type Model, trianglesOf } from './load-model.ts';
import { linesOf } from './mesh.ts';

const MOST_TRIANGLES = 2_000_000;
const MOST_BODIES = 8_000;
const AT_A_TIME_MS = 12;

/** Draws the edges of a model: computed once for each different body, a few at a time, so that the page stays at hand meanwhile. */
export function modelLines(model: Model, colour: Color, onMore: () => void) {
  const material = new LineBasicMaterial({ color: colour, transparent: true, opacity: 0.75 });
  const made: { lines: LineSegments; row: number }[] = [];
  const known = new Map<BufferGeometry, Lines>();
  const different = new Set(model.bodies.map(({ mesh }) => mesh.geometry));
  const total = [...different].reduce((sum, geometry) => sum + trianglesOf(geometry), 0);
  const possible = !model.hasLines && total <= MOST_TRIANGLES && model.bodies.length <= MOST_BODIES;
  let waiting = 0;
  let next = 0;
  let shown = false;

  const makeSome = () => {
    const until = performance.now() + AT_A_TIME_MS;
    while (next < model.bodies.length && performance.now() < until) {
      const body = model.bodies[next++];
      const found = body && linesOf(body.mesh.geometry);
      if (!found) continue;
      const geometry =
        known.get(body.mesh.geometry) ?? new Lines().setAttribute('position', new BufferAttribute(found, 3));
      known.set(body.mesh.geometry, geometry);
      const lines = new LineSegments(geometry, material);
      lines.layers.set(LAYERS.lines);
      lines.raycast = () => {};
      lines.visible = shown;
      body.mesh.add(lines);
      lines.updateMatrixWorld();
      made.push({ lines, row: body.row });
    }
    onMore();
    waiting = next < model.bodies.length ? window.setTimeout(makeSome, 0) : 0;
  };

  return {
    possible: possible || model.hasLines,
    show(wanted: boolean): void {
      shown = wanted;
      for (const { lines } of made) lines.visible = wanted;
      if (wanted && possible && next === 0) waiting = window.setTimeout(makeSome, 0);
    },
    colour: (wanted: Color): void => {
      material.color.copy(wanted);
    },
    dispose(): void {
      clearTimeout(waiting);
      material.dispose();
      for (const geometry of known.values()) geometry.dispose();
    },
  };
}
