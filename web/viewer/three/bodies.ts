// The bodies of a model on the stage: colors them and picks the one under the pointer.
import {
  type Camera,
  Color,
  DoubleSide,
  type Material,
  type Mesh,
  MeshStandardMaterial,
  type Plane,
  Raycaster,
  type Vector2,
} from 'three';
import { subtreeEnd } from '../../ui/tree-rows.ts';
import { measureMesh } from '../mesh.ts';
import type { Difference, Hidden } from '../product.ts';
import { readTriangles } from './geometry.ts';
import type { Body, Model } from './load-model.ts';

/**
 * The selected row, if any, and other rows to highlight; the rows that are seen through; whether parts have their tints
 * instead of the colors of the file; how rows differ from another model, which then determines all colors.
 */
export type Paint = {
  selected: number | null;
  marked?: Hidden;
  transparent?: Hidden;
  tints: boolean;
  differences?: ReadonlyMap<number, Difference> | null;
};

/** Colors of parts in a comparison, in sRGB; an equal part is gray. */
const DIFFERENCE_COLORS: Readonly<Record<Difference, number>> = {
  added: 0x2e9e4f,
  removed: 0xd24b43,
  changed: 0xd9982b,
  same: 0xb4b8be,
};
const OPACITY = 0.22;

/** Returns a function that gives all bodies of a model their colors, and one that disposes of the materials it made. */
export function createPainter(model: Model, highlight: Mesh['material']) {
  const made = new Map<unknown, Material>();
  const madeOnce = (key: unknown, make: () => Material): Material => {
    const known = made.get(key) ?? make();
    made.set(key, known);
    return known;
  };
  const differing = (difference: Difference) =>
    madeOnce(
      difference,
      () =>
        new MeshStandardMaterial({
          color: new Color(DIFFERENCE_COLORS[difference]),
          roughness: 0.6,
          metalness: 0.1,
          side: DoubleSide,
          polygonOffset: true,
          polygonOffsetFactor: 1.5,
          polygonOffsetUnits: 4,
        }),
    );
  const seeThrough = (material: Material) =>
    madeOnce(material, () => {
      const clone = material.clone();
      Object.assign(clone, { transparent: true, opacity: OPACITY, depthWrite: false });
      return clone;
    });
  return {
    paint({ selected, marked, transparent, tints, differences }: Paint): void {
      const { rows, bodies } = model;
      const highlighted = withDescendants(rows, [...(marked ?? []), ...(selected === null ? [] : [selected])]);
      const clear = withDescendants(rows, [...(transparent ?? [])]);
      for (const { mesh, row, material, tinted } of bodies) {
        const own = differences ? differing(differences.get(row) ?? 'same') : (tints && tinted) || material;
        const shown = highlighted.has(row) ? highlight : own;
        mesh.material = clear.has(row) && !Array.isArray(shown) ? seeThrough(shown) : shown;
      }
    },
    dispose(): void {
      for (const material of made.values()) material.dispose();
    },
  };
}

function withDescendants(rows: Model['rows'], tops: readonly number[]): Set<number> {
  const found = new Set<number>();
  for (const top of tops) for (let row = top; row < subtreeEnd(rows, top); row++) found.add(row);
  return found;
}

const bodiesOf = ({ rows, bodies }: Model, row: number): Body[] => {
  const end = subtreeEnd(rows, row);
  return bodies.filter((body) => body.row >= row && body.row < end);
};

/** Returns volume (mm³) and area (mm²) of the triangles of a row and its descendants. */
export const measureRow = (model: Model, row: number): { volume: number; area: number } =>
  measureBodies(bodiesOf(model, row));

/** Returns the rows that have bodies, with the volume (mm³) and area (mm²) of their triangles. */
export const measureParts = ({ bodies }: Model): { row: number; volume: number; area: number }[] =>
  [...Map.groupBy(bodies, ({ row }) => row)].map(([row, own]) => ({ row, ...measureBodies(own) }));

function measureBodies(bodies: readonly Body[]): { volume: number; area: number } {
  const sum = { volume: 0, area: 0 };
  for (const { mesh } of bodies) {
    const { volume, area } = measureMesh(readTriangles(mesh.geometry));
    const scale = Math.cbrt(Math.abs(mesh.matrixWorld.determinant())) * 1000; // the stage has meters
    sum.volume += volume * scale ** 3;
    sum.area += area * scale ** 2;
  }
  return { volume: Math.abs(sum.volume), area: sum.area };
}

/** Returns the colors of a row and its descendants in sRGB, e.g. "#c02020", those of most bodies first. */
export function colorsOfRow(model: Model, row: number): string[] {
  const counts = new Map<string, number>();
  for (const { material } of bodiesOf(model, row)) {
    for (const each of [material].flat()) {
      if (!('color' in each) || !(each.color instanceof Color)) continue;
      const color = `#${each.color.getHexString()}`;
      counts.set(color, (counts.get(color) ?? 0) + 1);
    }
  }
  return [...counts].sort((a, b) => b[1] - a[1]).map(([color]) => color);
}

/** Returns the meshes (their indexes in the file) of a row and its descendants; a mesh once for each placement. */
export const meshesOfRow = (model: Model, row: number): number[] =>
  bodiesOf(model, row).flatMap(({ source }) => (source.primitive === 0 ? [source.mesh] : []));

/**
 * Returns the row of the nearest visible body at a screen position (-1 to 1, right and up), ignoring what the sections
 * cut away; null if there is none.
 */
export function pickRow({ bodies }: Model, position: Vector2, camera: Camera, cuts: readonly Plane[]): number | null {
  const ray = new Raycaster();
  ray.setFromCamera(position, camera);
  const hits = ray.intersectObjects(
    bodies.filter(({ mesh }) => isVisible(mesh)).map(({ mesh }) => mesh),
    false,
  );
  const hit = hits.find(({ point }) => cuts.every((cut) => cut.distanceToPoint(point) >= 0));
  return bodies.find(({ mesh }) => mesh === hit?.object)?.row ?? null;
}

/** Returns whether neither the mesh nor one of its ancestors is hidden. */
export function isVisible(mesh: Mesh): boolean {
  for (let object: Mesh['parent'] = mesh; object; object = object.parent) if (!object.visible) return false;
  return true;
}
