import { Document, type Mesh as GltfMesh, type Material, type Node, NodeIO } from '@gltf-transform/core';
import type { Matrix } from './matrix.ts';
import type { Mesh } from './mesh.ts';
import { type Colour, type Surface, toLinear } from './palette.ts';
import type { Definition, Part } from './product.ts';

/** `tints` are the colours that the viewer shows instead of the colours of the file. */
export type GlbModel = {
  root: Definition<object>;
  meshes: ReadonlyMap<Part<object>, Mesh>;
  surfaces: ReadonlyMap<Part<object>, Surface[]>;
  tints: ReadonlyMap<Part<object>, Colour>;
  tolerance: number;
};

/**
 * Writes glTF 2.0 binary: one mesh per part with a primitive per colour, named nodes for products and instances, and a
 * root node that converts mm with Z up to meters with Y up. `asset.extras.chordErrorMm` is the chord error of the
 * meshes; `extras.tint` of the mesh of a part with colours of its own is its tint, in linear light.
 */
export async function writeGlb({ root, meshes, surfaces, tints, tolerance }: GlbModel): Promise<Uint8Array> {
  const document = new Document();
  Object.assign(document.getRoot().getAsset(), { extras: { chordErrorMm: tolerance } });
  const buffer = document.createBuffer();
  const materials = new Map<string, Material>();
  const shared = new Map<Part<object>, GltfMesh>();
  const accessor = (type: 'VEC3' | 'SCALAR', array: Float32Array | Uint32Array) =>
    document
      .createAccessor()
      .setType(type)
      .setArray(array as Float32Array<ArrayBuffer>)
      .setBuffer(buffer);
  const materialOf = (colour: Colour) => {
    const key = colour.join();
    const [red, green, blue] = colour.map(toLinear) as [number, number, number];
    const material =
      materials.get(key) ??
      document
        .createMaterial()
        .setBaseColorFactor([red, green, blue, 1])
        .setMetallicFactor(0.1)
        .setRoughnessFactor(0.6);
    materials.set(key, material);
    return material;
  };
  const meshOf = (part: Part<object>, mesh: Mesh, own: Surface[]) => {
    const written = document.createMesh(part.name);
    if (part.colour || part.faceColours) written.setExtras({ tint: tints.get(part)!.map(toLinear) });
    for (const { colour, indices } of own) {
      const triangles = own.length > 1 ? extractTriangles(mesh, indices) : mesh;
      const primitive = document
        .createPrimitive()
        .setAttribute('POSITION', accessor('VEC3', triangles.positions))
        .setAttribute('NORMAL', accessor('VEC3', triangles.normals))
        .setIndices(accessor('SCALAR', triangles.indices))
        .setMaterial(materialOf(colour));
      written.addPrimitive(primitive);
    }
    return written;
  };
  // Null for a product without triangles: a node must have a mesh or children.
  const nodeOf = (definition: Definition<object>, name: string, transform?: Matrix): Node | null => {
    const own = definition.shape && surfaces.get(definition);
    const children = (definition.uses ?? []).flatMap((use) => nodeOf(use.definition, use.name, use.transform) ?? []);
    if (!own?.length && !children.length) return null;
    const node = document.createNode(name);
    if (transform) node.setMatrix(columnMajor(transform));
    for (const child of children) node.addChild(child);
    if (definition.shape && own?.length) {
      const known = shared.get(definition) ?? meshOf(definition, meshes.get(definition)!, own);
      shared.set(definition, known);
      node.setMesh(known);
    }
    return node;
  };
  const upright = document
    .createNode('mm, Z up')
    .setScale([0.001, 0.001, 0.001])
    .setRotation([-Math.SQRT1_2, 0, 0, Math.SQRT1_2]);
  const top = nodeOf(root, root.name);
  if (top) upright.addChild(top);
  document.createScene(root.name).addChild(upright);
  return new NodeIO().writeBinary(document);
}

type Mat4 = Parameters<Node['setMatrix']>[0];

const columnMajor = (m: Matrix) => Array.from({ length: 16 }, (_, i) => m[(i % 4) * 4 + (i >> 2)]) as Mat4;

// Copies the vertices that the triangles use, in their order.
function extractTriangles(mesh: Mesh, indices: Uint32Array): Pick<Mesh, 'positions' | 'normals' | 'indices'> {
  const numberOf = new Map<number, number>();
  const renumbered = indices.map((vertex) => {
    const known = numberOf.get(vertex) ?? numberOf.size;
    numberOf.set(vertex, known);
    return known;
  });
  const copy = (source: Float32Array) => {
    const values = new Float32Array(numberOf.size * 3);
    for (const [vertex, number] of numberOf) values.set(source.subarray(vertex * 3, vertex * 3 + 3), number * 3);
    return values;
  };
  return { positions: copy(mesh.positions), normals: copy(mesh.normals), indices: renumbered };
}
