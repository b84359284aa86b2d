import { type Kernel, type Shape, withKernelErrors } from '../kernel.ts';
import { facesOf, hashOf } from './faces.ts';
import type { Vector } from './matrix.ts';

/**
 * Triangles of a part in mm: three coordinates per vertex and normal; `lines` are the face edges as pairs of points.
 * `faces` has two numbers for each face of the shape: where its triangles start in `indices`, and their number of
 * indices. Faces share no vertices.
 */
export type Mesh = {
  positions: Float32Array;
  normals: Float32Array;
  indices: Uint32Array;
  lines: Float32Array;
  faces: Uint32Array;
};

/** Returns the chord error in mm for a model of this size: diagonal / 1500, at least 0.001 mm. */
export function chordError(size: Vector): number {
  return Math.max(Math.hypot(...size) / 1500, 0.001);
}

/** Meshes a part to a chord error (mm) and 0.3 rad. */
export function tessellate(kernel: Kernel, shape: Shape, tolerance: number): Mesh {
  return withKernelErrors(kernel, 'tessellation', () => {
    using faces = kernel.ReplicadMeshExtractor.extract(shape, tolerance, ANGLE, false);
    using edges = kernel.ReplicadEdgeMeshExtractor.extract(shape, tolerance, ANGLE);
    // Get the buffer and copy from it each time: when the kernel's memory grows, existing views are detached.
    const { buffer } = kernel.wasmMemory;
    return {
      positions: new Float32Array(buffer, faces.getVerticesPtr(), faces.getVerticesSize()).slice(),
      normals: new Float32Array(buffer, faces.getNormalsPtr(), faces.getNormalsSize()).slice(),
      indices: new Uint32Array(buffer, faces.getTrianglesPtr(), faces.getTrianglesSize()).slice(),
      lines: new Float32Array(buffer, edges.getLinesPtr(), edges.getLinesSize()).slice(),
      faces: facesIn(kernel, shape, new Uint32Array(buffer, faces.getFaceGroupsPtr(), faces.getFaceGroupsSize())),
    };
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
