import { createRequire } from 'node:module';

type Node = { name: string; meshes: number[]; children: Node[] };

type Rgb = [number, number, number];
type IndependentMesh = {
  attributes: { position: { array: number[] } };
  index: { array: number[] };
  color?: Rgb;
  brep_faces: { first: number; last: number; color: Rgb | null }[];
};

/** A placed face: the centre of its triangles in mm, and its colour in linear light (0 to 255). */
export type PlacedFace = { centre: [number, number, number]; colour: Rgb | null };

/**
 * What an independent build of the kernel reads from a STEP file: the number of meshes, the names, the bounding box in
 * mm, the number of faces by colour in linear light (0 to 255), the faces, and its messages about the syntax.
 */
export type IndependentReading = {
  meshes: number;
  names: string[];
  box: number[];
  faceColours: Record<string, number>;
  faces: PlacedFace[];
  errors: string[];
};

/** Reads a STEP file with an independent build of the kernel. */
export async function independentStepReader(stp: Buffer): Promise<IndependentReading> {
  const errors: string[] = [];
  const print = (line: string) => {
    if (/\bERR\b/.test(line)) errors.push(line);
  };
  const reader = await createRequire(import.meta.url)('occt-import-js')({ print, printErr: print });
  const { meshes, root } = reader.ReadStepFile(new Uint8Array(stp), { linearUnit: 'millimeter' }) as {
    meshes: IndependentMesh[];
    root: Node;
  };
  const names: string[] = [];
  const walk = (node: Node) => {
    names.push(node.name);
    node.children.forEach(walk);
  };
  walk(root);
  const coordinates = meshes.flatMap(({ attributes }) => attributes.position.array);
  const along = (axis: number) => coordinates.filter((_, i) => i % 3 === axis);
  const box = [Math.min, Math.max].flatMap((pick) => [0, 1, 2].map((axis) => pick(...along(axis))));
  const faceColours: Record<string, number> = {};
  const faces: PlacedFace[] = [];
  for (const mesh of meshes) {
    for (const face of mesh.brep_faces) {
      const colour = (face.color ?? mesh.color)?.map((value) => value * 255) as Rgb | undefined;
      const { array } = mesh.index;
      const centre = centreOf(mesh.attributes.position.array, array.slice(3 * face.first, 3 * (face.last + 1)));
      faces.push({ centre, colour: colour ?? null });
      const key = colour?.map(Math.round).join() ?? 'none';
      faceColours[key] = (faceColours[key] ?? 0) + 1;
    }
  }
  return { meshes: meshes.length, names, box, faceColours, faces, errors };
}

/** Returns the centre of triangles, weighted by area; NaN without any. */
export function centreOf(positions: ArrayLike<number>, indices: ArrayLike<number>): [number, number, number] {
  const sum = [0, 0, 0];
  let total = 0;
  for (let t = 0; t < indices.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((corner) =>
      [0, 1, 2].map((axis) => positions[3 * indices[t + corner]! + axis]!),
    ) as [Rgb, Rgb, Rgb];
    const [u, v] = [b, c].map((point) => point.map((value, axis) => value - a[axis]!)) as [Rgb, Rgb];
    const area = Math.hypot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]);
    for (const axis of [0, 1, 2]) sum[axis]! += (area * (a[axis]! + b[axis]! + c[axis]!)) / 3;
    total += area;
  }
  return sum.map((value) => value / total) as [number, number, number];
}
