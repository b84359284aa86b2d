// The bodies of a model on the stage: the selected ones painted, and the one that lies at a place of the picture.
import { type Camera, type Mesh, type Plane, Raycaster, type Vector2 } from 'three';
import { endOf } from '../../ui/tree-rows.ts';
import type { Model } from './load-model.ts';

/** Paints the bodies below a row of the model and takes the paint off all others; null selects none. */
export function paintRow({ rows, bodies }: Model, row: number | null, paint: Mesh['material']): void {
  const end = row === null ? 0 : endOf(rows, row);
  for (const { mesh, row: of } of bodies) {
    const plain = plainMaterials.get(mesh) ?? mesh.material;
    plainMaterials.set(mesh, plain);
    mesh.material = row !== null && of >= row && of < end ? paint : plain;
  }
}

const plainMaterials = new WeakMap<Mesh, Mesh['material']>();

/** The row of the nearest body that is seen at a place (-1 to 1 to the right and upwards) and not cut away; null where there is none. */
export function rowAt({ bodies }: Model, place: Vector2, camera: Camera, cut: Plane | null): number | null {
  const ray = new Raycaster();
  ray.setFromCamera(place, camera);
  const hits = ray.intersectObjects(
    bodies.filter(({ mesh }) => isSeen(mesh)).map(({ mesh }) => mesh),
    false,
  );
  const hit = hits.find(({ point }) => !cut || cut.distanceToPoint(point) >= 0);
  return bodies.find(({ mesh }) => mesh === hit?.object)?.row ?? null;
}

/** Neither hidden nor in something that is. */
export function isSeen(mesh: Mesh): boolean {
  for (let object: Mesh['parent'] = mesh; object; object = object.parent) if (!object.visible) return false;
  return true;
}
