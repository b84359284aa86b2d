import { type Kernel, type Shape, withKernelErrors } from '../kernel.ts';
import { edgeLines } from './edge-lines.ts';
import { facesOf, hashOf } from './faces.ts';
import type { Vector } from './matrix.ts';
import { extractTriangles, type Mesh } from './mesh.ts';
import { meshMissingFaces } from './mesh-missing-faces.ts';

/** Returns the chord error in mm for a model of this size: diagonal / 1500, at least 0.001 mm. */
export function chordError(size: Vector): number {
  return Math.max(Math.hypot(...size) / 1500, 0.001);
}

/** Meshes a part to a chord error (mm) and 0.3 rad. */
export function tessellate(kernel: Kernel, shape: Shape, tolerance: number): Mesh {
  return withKernelErrors(kernel, 'tessellation', () => {
    const { groups, ...triangles } = extractTriangles(kernel, shape, tolerance, ANGLE);
    const lines = edgeLines(kernel, shape, tolerance, ANGLE);
    const mesh = { ...triangles, lines, faces: facesIn(kernel, shape, groups), unmeshed: 0 };
    return meshMissingFaces(kernel, shape, mesh, tolerance);
  });
}

const ANGLE = 0.3;

// The mesher's groups of start, count and hash are in the order of the faces; faces that it cannot mesh have no group.
function facesIn(kernel: Kernel, shape: Shape, groups: Uint32Array): Uint32Array {
  const found: number[] = [];
  let group = 0;
  for (const face of facesOf(kernel, shape)) {
    const isMeshed = groups[group + 2] === hashOf(kernel, face);
    found.push(isMeshed ? groups[group]! : 0, isMeshed ? groups[group + 1]! : 0);
    if (isMeshed) group += 3;
    face.delete();
  }
  return Uint32Array.from(found);
}
