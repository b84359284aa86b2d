// Finds where a camera must be so that points fill its view.
import { type BufferAttribute, type InterleavedBufferAttribute, Mesh, type Object3D, Vector3 } from 'three';

/** Calls a function with each of several points, which it must not keep. */
export type VisitPoints = (visit: (point: Vector3) => void) => void;
/** Width by height of the view, and the tangent of half its vertical angle; null for an orthographic camera. */
type Lens = { aspect: number; tangent: number | null };

const MARGIN = 1.08; // relative space around the points
const MIN_SIZE = 1e-9;
const MAX_VERTICES = 500_000; // of all meshes; with more, their boxes are fitted

/**
 * Returns the target of a camera that looks at points from a direction, its distance from the target, and half the
 * height of the view at the target. The points are in the middle and reach two opposite sides.
 */
export function frameAround(visitPoints: VisitPoints, from: Vector3, { aspect, tangent }: Lens) {
  const back = from.clone().normalize();
  const up = Math.abs(back.y) > 0.999 ? new Vector3(0, 0, -1) : new Vector3(0, 1, 0);
  const right = up.clone().cross(back).normalize();
  up.copy(back).cross(right);
  // In perspective, a nearer point covers more: the sides of the view have these slopes.
  const [slopeX, slopeY] = tangent === null ? [0, 0] : [(tangent * aspect) / MARGIN, tangent / MARGIN];
  const extent = { right: -Infinity, left: -Infinity, up: -Infinity, down: -Infinity, near: -Infinity, far: -Infinity };
  visitPoints((point) => {
    const [x, y, depth] = [point.dot(right), point.dot(up), point.dot(back)];
    extent.right = Math.max(extent.right, x + depth * slopeX);
    extent.left = Math.max(extent.left, -x + depth * slopeX);
    extent.up = Math.max(extent.up, y + depth * slopeY);
    extent.down = Math.max(extent.down, -y + depth * slopeY);
    extent.near = Math.max(extent.near, depth);
    extent.far = Math.max(extent.far, -depth);
  });
  const [width, height] = [extent.right + extent.left, extent.up + extent.down];
  const middle = (extent.near - extent.far) / 2;
  const thickness = Math.max(extent.near + extent.far, MIN_SIZE);
  const target = back
    .multiplyScalar(middle)
    .addScaledVector(right, (extent.right - extent.left) / 2)
    .addScaledVector(up, (extent.up - extent.down) / 2);
  if (tangent === null) {
    const halfHeight = (Math.max(height, width / aspect, MIN_SIZE) / 2) * MARGIN;
    return { target, halfHeight, distance: (thickness + halfHeight) * 2 };
  }
  const tight = Math.max(width / slopeX, height / slopeY) / 2 - middle;
  const distance = Math.max(tight, thickness * 0.55); // never inside
  return { target, halfHeight: distance * tangent, distance };
}

/** Returns a visitor of points around the meshes below objects, or only the visible ones; null if there are none. */
export function pointsOf(objects: readonly Object3D[], onlyVisible = false): VisitPoints | null {
  const meshes: Mesh[] = [];
  const add = (object: Object3D) => object instanceof Mesh && meshes.push(object);
  for (const object of objects) {
    if (onlyVisible) object.traverseVisible(add);
    else object.traverse(add);
  }
  if (meshes.length === 0) return null;
  const vertices = meshes.reduce((sum, { geometry }) => sum + (positionsOf(geometry)?.count ?? 0), 0);
  const point = new Vector3();
  return (visit) => {
    for (const mesh of meshes) {
      const positions = positionsOf(mesh.geometry);
      if (positions && vertices <= MAX_VERTICES)
        for (let at = 0; at < positions.count; at++)
          visit(point.fromBufferAttribute(positions, at).applyMatrix4(mesh.matrixWorld));
      else visitCorners(mesh, visit);
    }
  };
}

const positionsOf = ({
  attributes: { position },
}: Mesh['geometry']): BufferAttribute | InterleavedBufferAttribute | undefined => position;

function visitCorners({ geometry, matrixWorld }: Mesh, visit: (point: Vector3) => void): void {
  if (!geometry.boundingBox) geometry.computeBoundingBox();
  const { min, max } = geometry.boundingBox ?? {};
  if (!min || !max) return;
  const point = new Vector3();
  for (let corner = 0; corner < 8; corner++)
    visit(
      point
        .set(corner & 1 ? min.x : max.x, corner & 2 ? min.y : max.y, corner & 4 ? min.z : max.z)
        .applyMatrix4(matrixWorld),
    );
}
