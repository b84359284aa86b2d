import { type Accessor, Document, type Mesh as GltfMesh, type Material, type Node, NodeIO } from '@gltf-transform/core';
import { colourOfInstance, coloursInside, type OccurrenceColour } from '../colours/occurrence-colours.ts';
import type { Matrix } from './matrix.ts';
import type { Mesh } from './mesh.ts';
import { type Colour, linearOf, opacityOf, paintedSurfaces, type Surface } from './palette.ts';
import { type Definition, type Part, type Placement, placements } from './product.ts';

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
 * root node that converts mm with Z up to meters with Y up. Instances with a colour of their own have a mesh that shares
 * its triangles with that of the part. `asset.extras.chordErrorMm` is the chord error of the meshes; `extras.tint` of the
 * mesh of a part with colours of its own is its tint, in linear light.
 */
export async function writeGlb({ root, meshes, surfaces, tints, tolerance }: GlbModel): Promise<Uint8Array> {
  const document = new Document();
  Object.assign(document.getRoot().getAsset(), { extras: { chordErrorMm: tolerance } });
  const meshOf = createMeshes(document, placements(root), { meshes, surfaces, tints });
  // Null for a product without triangles: a node must have a mesh or children.
  const nodeOf = (definition: Definition<object>, name: string, colours: Colours, transform?: Matrix): Node | null => {
    const own = definition.shape && surfaces.get(definition)?.length;
    const children = (definition.uses ?? []).flatMap(
      (use) => nodeOf(use.definition, use.name, coloursInside(colours, use), use.transform) ?? [],
    );
    if (!own && !children.length) return null;
    const node = document.createNode(name);
    if (transform) node.setMatrix(columnMajor(transform));
    for (const child of children) node.addChild(child);
    if (definition.shape && own) node.setMesh(meshOf(definition, colourOfInstance(colours, definition)));
    return node;
  };
  const upright = document
    .createNode('mm, Z up')
    .setScale([0.001, 0.001, 0.001])
    .setRotation([-Math.SQRT1_2, 0, 0, Math.SQRT1_2]);
  const top = nodeOf(root, root.name, []);
  if (top) upright.addChild(top);
  document.createScene(root.name).addChild(upright);
  return new NodeIO().writeBinary(document);
}

type Colours = readonly OccurrenceColour<object>[];
type MeshOf = (part: Part<object>, colour: Colour | undefined) => GltfMesh;

// The measuring data refers to parts by the position of their mesh: that of their first instance comes before those of
// instances in other colours, which name it in `extras.mesh`.
function createMeshes(
  document: Document,
  placed: readonly Placement<object>[],
  { meshes, surfaces, tints }: Pick<GlbModel, 'meshes' | 'surfaces' | 'tints'>,
): MeshOf {
  const materialOf = createMaterials(document);
  const geometryOf = createGeometries(document, meshes, surfaces);
  const first = new Map<Part<object>, { position: number; colour: Colour | undefined }>();
  const written = new Map<Part<object>, Map<string, GltfMesh>>();
  const isColoured = new Set(placed.flatMap(({ part, colour }) => (colour ? [part] : [])));
  const write = (part: Part<object>, colour: Colour | undefined, extras: Record<string, unknown>) => {
    const mesh = document.createMesh(part.name).setExtras(extras);
    const painted = paintedSurfaces(surfaces.get(part)!, colour);
    geometryOf(part).forEach(({ positions, normals, indices }, i) => {
      const primitive = document
        .createPrimitive()
        .setAttribute('POSITION', positions)
        .setAttribute('NORMAL', normals)
        .setIndices(indices)
        .setMaterial(materialOf(painted[i]!.colour));
      mesh.addPrimitive(primitive);
    });
    written.set(part, (written.get(part) ?? new Map()).set(keyOf(colour), mesh));
  };
  const withTriangles = placed.filter(({ part }) => surfaces.get(part)?.length);
  const tintOf = (part: Part<object>) =>
    part.colour || part.faceColours || isColoured.has(part) ? { tint: linearOf(tints.get(part)!) } : {};
  for (const { part, colour } of withTriangles) {
    if (first.has(part)) continue;
    first.set(part, { position: first.size, colour });
    write(part, colour, tintOf(part));
  }
  for (const { part, colour } of withTriangles)
    if (!written.get(part)!.has(keyOf(colour)))
      write(part, colour, { ...tintOf(part), mesh: first.get(part)!.position });
  return (part, colour) => written.get(part)!.get(keyOf(colour))!;
}

const keyOf = (colour: Colour | undefined) => colour?.join() ?? '';

function createMaterials(document: Document): (colour: Colour) => Material {
  const materials = new Map<string, Material>();
  return (colour) => {
    const key = colour.join();
    const opacity = opacityOf(colour);
    const material =
      materials.get(key) ??
      document
        .createMaterial()
        .setBaseColorFactor([...linearOf(colour), opacity])
        .setAlphaMode(opacity < 1 ? 'BLEND' : 'OPAQUE')
        .setMetallicFactor(0.1)
        .setRoughnessFactor(0.6);
    materials.set(key, material);
    return material;
  };
}

type Geometry = Record<'positions' | 'normals' | 'indices', Accessor>;

// The triangles of each surface of a part, once for all its meshes.
function createGeometries(
  document: Document,
  meshes: GlbModel['meshes'],
  surfaces: GlbModel['surfaces'],
): (part: Part<object>) => Geometry[] {
  const buffer = document.createBuffer();
  const known = new Map<Part<object>, Geometry[]>();
  const accessor = (type: 'VEC3' | 'SCALAR', array: Float32Array | Uint32Array) =>
    document
      .createAccessor()
      .setType(type)
      .setArray(array as Float32Array<ArrayBuffer>)
      .setBuffer(buffer);
  return (part) => {
    const [mesh, own] = [meshes.get(part)!, surfaces.get(part)!];
    const geometries =
      known.get(part) ??
      own.map(({ indices }) => {
        const triangles = own.length > 1 ? extractTriangles(mesh, indices) : mesh;
        return {
          positions: accessor('VEC3', triangles.positions),
          normals: accessor('VEC3', triangles.normals),
          indices: accessor('SCALAR', triangles.indices),
        };
      });
    known.set(part, geometries);
    return geometries;
  };
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
