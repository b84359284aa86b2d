// The bodies of a model on the stage: colors them and picks the one under the pointer.
import { type Camera, type Mesh, type Plane, Raycaster, type Vector2 } from 'three';
import { subtreeEnd } from '../../ui/tree-rows.ts';
import { measureMesh } from '../mesh.ts';
import { readTriangles } from './geometry.ts';
import type { Model } from './load-model.ts';

/** The selected row, if any, and whether parts have their tints instead of the colors of the file. */
export type Paint = { selected: number | null; tints: boolean };

/** Gives all bodies their colors; those of the selected row and its descendants are highlighted. */
export function paintBodies({ rows, bodies }: Model, { selected, tints }: Paint, highlight: Mesh['material']): void {
  const end = selected === null ? 0 : subtreeEnd(rows, selected);
  for (const { mesh, row, material, tinted } of bodies) {
    const isSelected = selected !== null && row >= selected && row < end;
    mesh.material = isSelected ? highlight : (tints && tinted) || material;
  }
}

/** Returns volume (mm³) and area (mm²) of the triangles of a row and its descendants. */
export function measureRow({ rows, bodies }: Model, row: number): { volume: number; area: number } {
  const end = subtreeEnd(rows, row);
  const sum = { volume: 0, area: 0 };
  for (const { mesh, row: bodyRow } of bodies) {
    if (bodyRow < row || bodyRow >= end) continue;
    const { volume, area } = measureMesh(readTriangles(mesh.geometry));
    const scale = Math.cbrt(Math.abs(mesh.matrixWorld.determinant())) * 1000; // the stage has meters
    sum.volume += volume * scale ** 3;
    sum.area += area * scale ** 2;
  }
  return { volume: Math.abs(sum.volume), area: sum.area };
}

/**
 * Returns the row of the nearest visible body at a screen position (-1 to 1, right and up), ignoring the parts that the
 * section cuts away; null if there is none.
 */
export function pickRow({ bodies }: Model, position: Vector2, camera: Camera, cut: Plane | null): number | null {
  const ray = new Raycaster();
  ray.setFromCamera(position, camera);
  const hits = ray.intersectObjects(
    bodies.filter(({ mesh }) => isVisible(mesh)).map(({ mesh }) => mesh),
    false,
  );
  const hit = hits.find(({ point }) => !cut || cut.distanceToPoint(point) >= 0);
  return bodies.find(({ mesh }) => mesh === hit?.object)?.row ?? null;
}

/** Returns whether neither the mesh nor one of its ancestors is hidden. */
export function isVisible(mesh: Mesh): boolean {
  for (let object: Mesh['parent'] = mesh; object; object = object.parent) if (!object.visible) return false;
  return true;
}
