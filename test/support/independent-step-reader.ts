import { createRequire } from 'node:module';

type Node = { name: string; meshes: number[]; children: Node[] };

/**
 * Reads a STEP file with an independent build of the kernel: the number of meshes, the names, the bounding box in mm.
 */
export async function independentStepReader(stp: Buffer): Promise<{ meshes: number; names: string[]; box: number[] }> {
  const reader = await createRequire(import.meta.url)('occt-import-js')();
  const { meshes, root } = reader.ReadStepFile(new Uint8Array(stp), { linearUnit: 'millimeter' }) as {
    meshes: { attributes: { position: { array: number[] } } }[];
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
  return { meshes: meshes.length, names, box };
}
