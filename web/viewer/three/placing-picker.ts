// Finds the part, face or edge of the placing stage at a position of the window.
import { type Mesh, type PerspectiveCamera, Plane, Raycaster, Vector2, Vector3 } from 'three';
import { type Point, pointInMm } from '../space.ts';
import { rowsInMm } from './picker.ts';
import { entityNear, type FoundEntity, type Shape } from './placing-shape.ts';
import type { Placed } from './placing-stage.ts';
import { pointOf } from './point-of.ts';

const EDGE_PIXELS = 6; // how near to an edge it is picked instead of its face

type Scenery = {
  canvas: HTMLCanvasElement;
  camera: () => PerspectiveCamera;
  placed: ReadonlyMap<string, Placed>;
  shapes: ReadonlyMap<string, Shape>;
};

export function createPlacingPicker({ canvas, camera, placed, shapes }: Scenery) {
  function rayAt(clientX: number, clientY: number): Raycaster {
    const { left, top, width, height } = canvas.getBoundingClientRect();
    const ray = new Raycaster();
    ray.setFromCamera(new Vector2(((clientX - left) / width) * 2 - 1, 1 - ((clientY - top) / height) * 2), camera());
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

  return {
    /** Returns the id of the part at a position; null if there is none. */
    partAt: (clientX: number, clientY: number): string | null => hitAt(clientX, clientY)?.part.id ?? null,
    /** Returns the part at a position with its face or edge, which is null for a part without exact data. */
    entityAt(clientX: number, clientY: number): { id: string; mesh: Mesh; found: FoundEntity | null } | null {
      const hit = hitAt(clientX, clientY);
      const shape = hit && shapes.get(hit.part.shape);
      if (!hit || !shape) return null;
      const { mesh, body, triangle } = hit;
      const perPixel = (2 * hit.distance * Math.tan((camera().fov * Math.PI) / 360)) / canvas.clientHeight;
      const at = pointOf(mesh.worldToLocal(hit.point.clone()));
      const reach = EDGE_PIXELS * perPixel * 1000;
      const found = entityNear(shape, body, { triangle, at, reach, rows: rowsInMm(mesh.matrixWorld) });
      return { id: hit.part.id, mesh, found };
    },
    /** Returns the point at a position, on a part, else on the ground, in mm; null beside both. */
    pointAt(clientX: number, clientY: number): Point | null {
      const ground = new Plane(new Vector3(0, 1, 0));
      const point = hitAt(clientX, clientY)?.point ?? rayAt(clientX, clientY).ray.intersectPlane(ground, new Vector3());
      return point && pointInMm(pointOf(point));
    },
  };
}
