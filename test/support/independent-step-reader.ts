import { createRequire } from 'node:module';

type Node = { name: string; meshes: number[]; children: Node[] };

type Rgb = [number, number, number];
type IndependentMesh = {
  attributes: { position: { array: number[] } };
  color?: Rgb;
  brep_faces: { color: Rgb | null }[];
};

/**
 * What an independent build of the kernel reads from a STEP file: the number of meshes, the names, the bounding box in
 * mm, the number of faces by colour in linear light (0 to 255), and its messages about the syntax.
 */
export type IndependentReading = {
  meshes: number;
  names: string[];
  box: number[];
  faceColours: Record<string, number>;
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
  for (const mesh of meshes) {
    for (const face of mesh.brep_faces) {
      const key = (face.color ?? mesh.color)?.map((value) => Math.round(value * 255)).join() ?? 'none';
      faceColours[key] = (faceColours[key] ?? 0) + 1;
    }
  }
  return { meshes: meshes.length, names, box, faceColours, errors };
}
