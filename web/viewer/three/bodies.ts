// The bodies of a model on the stage: highlights the selected ones and picks the one under the pointer.
import { type Camera, type Mesh, type Plane, Raycaster, type Vector2 } from 'three';
import { subtreeEnd } from '../../ui/tree-rows.ts';
import type { Model } from './load-model.ts';

/** Highlights the bodies of a row and its descendants and resets all others; null resets all. */
export function highlightRow({ rows, bodies }: Model, row: number | null, highlight: Mesh['material']): void {
  const end = row === null ? 0 : subtreeEnd(rows, row);
  for (const { mesh, row: bodyRow } of bodies) {
    const plain = plainMaterials.get(mesh) ?? mesh.material;
    plainMaterials.set(mesh, plain);
    mesh.material = row !== null && bodyRow >= row && bodyRow < end ? highlight : plain;
  }
}

const plainMaterials = new WeakMap<Mesh, Mesh['material']>();

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
