import {
  type Document,
  type JSONDocument,
  type Material,
  type Node,
  NodeIO,
  type Primitive,
} from '@gltf-transform/core';
import { errorMessage } from '../../../../subgraphs/core/domain/text/error-message.ts';
import { fail, JobFailure } from '../job-failure.ts';
import { LIMITS } from '../limits.ts';
import { type Matrix, multiply } from '../product/matrix.ts';
import { type Colour, toSrgb } from '../product/palette.ts';
import type { PlacedMesh } from './place-meshes.ts';
import { checkTriangles, joinTriangles, type Triangles } from './triangles.ts';

// Meters with Y up to mm with Z up.
const UPRIGHT: Matrix = [1000, 0, 0, 0, 0, 0, -1000, 0, 0, 1000, 0, 0, 0, 0, 0, 1];

/** Reads the triangles of the default scene of a glTF file, binary or JSON with embedded buffers. */
export async function readGltf(bytes: Buffer): Promise<PlacedMesh[]> {
  const document = await readDocument(bytes);
  const scene = document.getRoot().getDefaultScene() ?? document.getRoot().listScenes()[0];
  const meshes = new Map<object, Triangles>();
  const placed: PlacedMesh[] = [];
  const place = (node: Node, parent: Matrix, depth: number): void => {
    if (depth > LIMITS.depth) fail('too_deep', `the nodes are nested more than ${LIMITS.depth} deep`);
    const matrix = multiply(parent, rowMajor(node.getMatrix()));
    const mesh = node.getMesh();
    if (mesh) {
      const triangles = meshes.get(mesh) ?? joinTriangles(mesh.listPrimitives().map(readPrimitive));
      meshes.set(mesh, triangles);
      placed.push({ mesh: triangles, name: node.getName() || mesh.getName() || 'Mesh', matrix });
    }
    for (const child of node.listChildren()) place(child, matrix, depth + 1);
  };
  for (const node of scene?.listChildren() ?? []) place(node, UPRIGHT, 0);
  return placed;
}

async function readDocument(bytes: Buffer): Promise<Document> {
  const io = new NodeIO();
  try {
    // The reader requires aligned bytes.
    const source = Uint8Array.from(bytes);
    const isBinary = bytes.toString('latin1', 0, 4) === 'glTF';
    const { json, resources } = isBinary
      ? await io.binaryToJSON(source)
      : { json: JSON.parse(bytes.toString('utf8')) as JSONDocument['json'], resources: {} };
    return await io.readJSON({ json: geometryOf(json, resources), resources });
  } catch (error) {
    if (error instanceof JobFailure) throw error;
    const message = errorMessage(error);
    if (/required extension/i.test(message)) fail('unsupported_format', `the glTF file cannot be read: ${message}`);
    return fail('syntax', `the glTF file is damaged: ${message}`);
  }
}

// Images, animations and the like are not needed, and their files may be missing.
function geometryOf(json: JSONDocument['json'], resources: object): JSONDocument['json'] {
  const { asset, scene, scenes, nodes = [], meshes = [], accessors = [], bufferViews, buffers = [] } = json;
  const external = buffers.find(({ uri }) => uri !== undefined && !uri.startsWith('data:') && !(uri in resources));
  if (external) fail('external_files', 'the glTF file references buffers in other files; upload a GLB file');
  const count = accessors.reduce((sum, accessor) => sum + accessor.count, 0);
  if (!(count <= MAX_ELEMENTS)) fail('too_large', `the glTF file has more than ${MAX_ELEMENTS} vertices and indices`);
  return {
    ...{ asset, scene, scenes, accessors, bufferViews, buffers, extensionsRequired: json.extensionsRequired },
    nodes: nodes.map(({ name, children, mesh, matrix, translation, rotation, scale }) =>
      withoutUndefined({ name, children, mesh, matrix, translation, rotation, scale }),
    ),
    meshes: meshes.map(({ name, primitives }) => ({
      name,
      primitives: primitives.map(({ attributes: { POSITION }, indices, mode, material }) =>
        withoutUndefined({ attributes: withoutUndefined({ POSITION }), indices, mode, material }),
      ),
    })),
    materials: (json.materials ?? []).map(({ pbrMetallicRoughness, alphaMode }) =>
      withoutUndefined({
        pbrMetallicRoughness: withoutUndefined({ baseColorFactor: pbrMetallicRoughness?.baseColorFactor }),
        alphaMode,
      }),
    ),
  } as JSONDocument['json'];
}

const MAX_ELEMENTS = 20_000_000;

const withoutUndefined = <T extends object>(record: T): T =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as T;

const rowMajor = (m: readonly number[]): Matrix => Array.from({ length: 16 }, (_, i) => m[(i % 4) * 4 + (i >> 2)]!);

const [TRIANGLES, STRIP, FAN] = [4, 5, 6];

// Points and lines have no triangles.
function readPrimitive(primitive: Primitive): Triangles {
  const position = primitive.getAttribute('POSITION');
  const vertices = position?.getCount() ?? 0;
  const positions = Array.from({ length: vertices }, (_, i) => position?.getElement(i, []) ?? []).flat();
  const corners = primitive.getIndices()?.getArray() ?? Uint32Array.from({ length: vertices }, (_, i) => i);
  return checkTriangles(positions, trianglesOf(corners, primitive.getMode()), colourOf(primitive.getMaterial()));
}

function colourOf(material: Material | null): Colour | null {
  if (!material) return null;
  const [red, green, blue, opacity] = material.getBaseColorFactor();
  const rgb = [toSrgb(red), toSrgb(green), toSrgb(blue)] as const;
  return material.getAlphaMode() === 'BLEND' && opacity < 1 ? [...rgb, opacity] : rgb;
}

function trianglesOf(corners: ArrayLike<number>, mode: number): ArrayLike<number> {
  if (mode === TRIANGLES)
    return corners.length % 3 ? fail('syntax', 'a mesh of the glTF file has no whole triangles') : corners;
  const indices: number[] = [];
  for (let i = 2; i < corners.length && (mode === STRIP || mode === FAN); i++) {
    const [a, b] = mode === FAN ? [0, i - 1] : i % 2 ? [i - 1, i - 2] : [i - 2, i - 1];
    indices.push(corners[a]!, corners[b]!, corners[i]!);
  }
  return indices;
}
