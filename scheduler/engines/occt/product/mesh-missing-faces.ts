import { JobFailure } from '../job-failure.ts';
import { type Kernel, type Shape, withKernelErrors } from '../kernel.ts';
import { facesOf } from './faces.ts';
import { extractTriangles, type Mesh, meshArea } from './mesh.ts';

/**
 * Meshes the faces that the mesher left out: with other angles, from the bounds of the surface, and after a repair. A
 * mesh counts if its area is that of the face. Faces that stay without triangles keep a count of 0 in `faces`.
 */
export function meshMissingFaces(kernel: Kernel, shape: Shape, mesh: Mesh, tolerance: number): Mesh {
  if (!mesh.faces.some((value, i) => i % 2 === 1 && value === 0)) return mesh;
  const pieces: FaceMesh[] = [mesh];
  const faces = mesh.faces.slice();
  let vertices = mesh.positions.length / 3;
  let indices = mesh.indices.length;
  let index = 0;
  let unmeshed = 0;
  for (const face of facesOf(kernel, shape)) {
    const at = 2 * index++;
    const isMissing = faces[at + 1] === 0 && areaOf(kernel, face) > NO_AREA;
    const piece = isMissing ? meshFace(kernel, face, tolerance) : null;
    if (isMissing && !piece) unmeshed++;
    face.delete();
    if (!piece) continue;
    faces[at] = indices;
    faces[at + 1] = piece.indices.length;
    pieces.push({ ...piece, indices: piece.indices.map((vertex) => vertex + vertices) });
    vertices += piece.positions.length / 3;
    indices += piece.indices.length;
  }
  return {
    positions: joinFloats(pieces.map(({ positions }) => positions)),
    normals: joinFloats(pieces.map(({ normals }) => normals)),
    indices: Uint32Array.from(pieces.flatMap((piece) => [...piece.indices])),
    lines: mesh.lines,
    faces,
    unmeshed,
  };
}

type FaceMesh = Pick<Mesh, 'positions' | 'normals' | 'indices'>;

const ANGLES = [0.3, 0.5, 0.2, 0.1];
const MAX_AREA_ERROR = 0.05;
// The bounds of a face with a small hole are another face.
const MAX_SHAPE_ERROR = 0.001;

function meshFace(kernel: Kernel, face: Shape, tolerance: number): FaceMesh | null {
  for (const candidate of [rectangular, asIs, repaired]) {
    try {
      const piece = withKernelErrors(kernel, 'tessellation', () => meshCandidate(kernel, candidate, face, tolerance));
      if (piece) return piece;
    } catch (error) {
      // An exception of the kernel leaves it usable.
      if (!(error instanceof JobFailure && error.code === 'kernel')) throw error;
    }
  }
  return null;
}

function meshCandidate(kernel: Kernel, candidate: Candidate, face: Shape, tolerance: number): FaceMesh | null {
  const area = areaOf(kernel, face);
  using substitute = candidate(kernel, face);
  if (!substitute || Math.abs(areaOf(kernel, substitute) - area) > MAX_SHAPE_ERROR * area) return null;
  for (const angle of ANGLES) {
    kernel.BRepTools.Clean(substitute, true);
    const piece = extractTriangles(kernel, substitute, tolerance, angle);
    if (piece.indices.length && Math.abs(meshArea(piece) - area) <= MAX_AREA_ERROR * area) return piece;
  }
  return null;
}

// Some writers leave faces between edges that coincide; in mm².
const NO_AREA = 1e-6;

function areaOf(kernel: Kernel, face: Shape): number {
  return withKernelErrors(kernel, 'tessellation', () => {
    using surface = new kernel.GProp_GProps();
    kernel.BRepGProp.SurfaceProperties(face, surface, 1e-4, false);
    return surface.Mass();
  });
}

type Candidate = (kernel: Kernel, face: Shape) => Shape | null;

const asIs: Candidate = (_kernel, face) => face.Oriented(face.Orientation());

// The mesher often fails on a closed surface whose seam has rounding errors. Its bounds have none.
const rectangular: Candidate = (kernel, face) => {
  using exact = kernel.TopoDS.Face(face);
  const { UMin, UMax, VMin, VMax } = kernel.BRepTools.UVBounds(exact);
  using surface = kernel.BRep_Tool.Surface(exact);
  using maker = new kernel.BRepBuilderAPI_MakeFace(surface, UMin, UMax, VMin, VMax, 1e-7);
  if (!maker.IsDone()) return null;
  using whole = maker.Face();
  return whole.Oriented(face.Orientation());
};

const repaired: Candidate = (kernel, face) => {
  using exact = kernel.TopoDS.Face(face);
  using fix = new kernel.ShapeFix_Face(exact);
  fix.Perform();
  return fix.Result();
};

function joinFloats(arrays: Float32Array[]): Float32Array {
  const joined = new Float32Array(arrays.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const array of arrays) {
    joined.set(array, at);
    at += array.length;
  }
  return joined;
}
