// A GLB model as an engine writes it: boxes in mm with Z up, below a node that converts them to metres with Y up.
import { Document, type Node, NodeIO } from '@gltf-transform/core';

type Sizes = readonly [x: number, y: number, z: number];
/** A part: its size and the position of its lowest corner, in mm. */
export type BoxPart = { name: string; size: Sizes; at?: Sizes };
/** A part, or an assembly of parts at a position. */
export type BoxNode = BoxPart | { name: string; at?: Sizes; parts: readonly BoxNode[] };

/** Returns the GLB of an assembly with these parts and subassemblies. */
export async function boxModel(name: string, parts: readonly BoxNode[]): Promise<Uint8Array> {
  const document = new Document();
  const buffer = document.createBuffer();
  const material = document
    .createMaterial()
    .setBaseColorFactor([0.5, 0.55, 0.6, 1])
    .setMetallicFactor(0.1)
    .setRoughnessFactor(0.6);
  const accessor = (type: 'VEC3' | 'SCALAR', array: Float32Array<ArrayBuffer> | Uint32Array<ArrayBuffer>) =>
    document.createAccessor().setType(type).setArray(array).setBuffer(buffer);
  const partOf = ({ name: part, size, at = [0, 0, 0] }: BoxPart): Node => {
    const { positions, normals, indices } = boxGeometry(size);
    const primitive = document
      .createPrimitive()
      .setAttribute('POSITION', accessor('VEC3', positions))
      .setAttribute('NORMAL', accessor('VEC3', normals))
      .setIndices(accessor('SCALAR', indices))
      .setMaterial(material);
    return document
      .createNode(part)
      .setTranslation([...at])
      .setMesh(document.createMesh(part).addPrimitive(primitive));
  };
  const nodeOf = (node: BoxNode): Node => {
    if ('size' in node) return partOf(node);
    const group = document.createNode(node.name).setTranslation([...(node.at ?? [0, 0, 0])]);
    for (const each of node.parts) group.addChild(nodeOf(each));
    return group;
  };
  const root = document.createNode(name);
  for (const part of parts) root.addChild(nodeOf(part));
  const upright = document
    .createNode('mm, Z up')
    .setScale([0.001, 0.001, 0.001])
    .setRotation([-Math.SQRT1_2, 0, 0, Math.SQRT1_2]);
  document.createScene(name).addChild(upright.addChild(root));
  return new NodeIO().writeBinary(document);
}

function boxGeometry(size: Sizes) {
  const positions: number[] = [];
  const normals: number[] = [];
  const indices: number[] = [];
  for (const axis of [0, 1, 2]) {
    for (const end of [0, 1]) {
      const first = positions.length / 3;
      const around = [(axis + 1) % 3, (axis + 2) % 3] as const;
      for (const [u, v] of [
        [0, 0],
        [1, 0],
        [1, 1],
        [0, 1],
      ] as const) {
        const corner = [0, 0, 0];
        corner[axis] = end * size[axis]!;
        corner[around[0]] = u * size[around[0]]!;
        corner[around[1]] = v * size[around[1]]!;
        positions.push(...corner);
        normals.push(...[0, 1, 2].map((each) => (each === axis ? end * 2 - 1 : 0)));
      }
      // counterclockwise corners face outward
      indices.push(...(end ? [0, 1, 2, 0, 2, 3] : [0, 2, 1, 0, 3, 2]).map((corner) => first + corner));
    }
  }
  return {
    positions: Float32Array.from(positions),
    normals: Float32Array.from(normals),
    indices: Uint32Array.from(indices),
  };
}
