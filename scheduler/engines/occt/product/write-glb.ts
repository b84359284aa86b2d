import { Document, type Mesh as GltfMesh, type Material, type Node, NodeIO } from '@gltf-transform/core';
import type { Matrix } from './matrix.ts';
import { type Colour, toLinear } from './palette.ts';
import type { Definition, Part } from './product.ts';
import type { Mesh } from './tessellate.ts';

/**
 * Writes glTF 2.0 binary: one mesh per part, named nodes for products and instances, and a root node that converts mm
 * with Z up to meters with Y up. `asset.extras.chordErrorMm` is the chord error of the meshes.
 */
export async function writeGlb(
  root: Definition,
  meshes: Map<Part, Mesh>,
  chordErrorMm: number,
  tints: Map<Part, Colour>,
): Promise<Uint8Array> {
  const document = new Document();
  Object.assign(document.getRoot().getAsset(), { extras: { chordErrorMm } });
  const buffer = document.createBuffer();
  const materials = new Map<string, Material>();
  const shared = new Map<Part, GltfMesh>();
  const accessor = (type: 'VEC3' | 'SCALAR', array: Float32Array | Uint32Array) =>
    document
      .createAccessor()
      .setType(type)
      .setArray(array as Float32Array<ArrayBuffer>)
      .setBuffer(buffer);
  const materialOf = (tint: Colour) => {
    const key = tint.join();
    const [red, green, blue] = tint.map(toLinear) as [number, number, number];
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
  const meshOf = (part: Part, { positions, normals, indices }: Mesh) => {
    const primitive = document
      .createPrimitive()
      .setAttribute('POSITION', accessor('VEC3', positions))
      .setAttribute('NORMAL', accessor('VEC3', normals))
      .setIndices(accessor('SCALAR', indices))
      .setMaterial(materialOf(tints.get(part) ?? [184, 193, 204]));
    return document.createMesh(part.name).addPrimitive(primitive);
  };
  const nodeOf = (definition: Definition, name: string, transform?: Matrix): Node => {
    const node = document.createNode(name);
    if (transform) node.setMatrix(columnMajor(transform));
    if (!definition.shape)
      for (const use of definition.uses) node.addChild(nodeOf(use.definition, use.name, use.transform));
    const mesh = definition.shape && meshes.get(definition);
    if (definition.shape && mesh?.indices.length) {
      const known = shared.get(definition) ?? meshOf(definition, mesh);
      shared.set(definition, known);
      node.setMesh(known);
    }
    return node;
  };
  const upright = document
    .createNode('mm, Z up')
    .setScale([0.001, 0.001, 0.001])
    .setRotation([-Math.SQRT1_2, 0, 0, Math.SQRT1_2]);
  upright.addChild(nodeOf(root, root.name));
  document.createScene(root.name).addChild(upright);
  return new NodeIO().writeBinary(document);
}

type Mat4 = Parameters<Node['setMatrix']>[0];

const columnMajor = (m: Matrix) => Array.from({ length: 16 }, (_, i) => m[(i % 4) * 4 + (i >> 2)]) as Mat4;
