import { createRequire } from 'node:module';

type Node = { name: string; meshes: number[]; children: Node[] };

type Rgb = [number, number, number];
type IndependentMesh = {
  attributes: { position: { array: number[] } };
  color?: Rgb;
  brep_faces: { color: Rgb | null }[];
};

/**
 * Reads a STEP file with an independent build of the kernel: the number of meshes, the names, the bounding box in mm,
 * and the number of faces by colour in linear light (0 to 255).
 */
export async function independentStepReader(
  stp: Buffer,
): Promise<{ meshes: number; names: string[]; box: number[]; faceColours: Record<string, number> }> {
  const reader = await createRequire(import.meta.url)('occt-import-js')();
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
  return { meshes: meshes.length, names, box, faceColours };
}
