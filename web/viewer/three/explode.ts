// Moves the parts of a model apart.
import { Matrix4, Vector3 } from 'three';
import { boxOf, type Model } from './load-model.ts';

const REACH = 1.4; // how far parts move at 1, relative to their distance from the center

/** Returns a function that moves each body away from the center of the model; 0 puts them back. */
export function createExplosion(model: Model): (amount: number) => void {
  const center = boxOf(model.root).getCenter(new Vector3());
  // bodies of the same row belong to one part
  const centers = new Map<number, Vector3>();
  const bodies = model.bodies.map(({ mesh, row }) => ({ mesh, row, matrix: mesh.matrix.clone() }));
  const worlds = bodies.map(({ mesh }) => mesh.matrixWorld.clone());
  for (const { row } of bodies) {
    const object = model.objects[row];
    if (object && !centers.has(row)) centers.set(row, boxOf(object).getCenter(new Vector3()).sub(center));
  }
  return (amount) => {
    for (const [at, { mesh, row, matrix }] of bodies.entries()) {
      const { x, y, z } =
        centers
          .get(row)
          ?.clone()
          .multiplyScalar(amount * REACH) ?? new Vector3();
      if (amount === 0 || !mesh.parent) mesh.matrix.copy(matrix);
      else
        mesh.matrix
          .copy(mesh.parent.matrixWorld)
          .invert()
          .multiply(new Matrix4().makeTranslation(x, y, z))
          .multiply(worlds[at] as Matrix4);
      mesh.updateMatrixWorld(true);
    }
  };
}
