// Loads a GLB file and prepares it for the stage.
import {
  Box3,
  type BufferGeometry,
  DoubleSide,
  LineSegments,
  type Material,
  type Matrix4,
  Mesh,
  MeshStandardMaterial,
  type Object3D,
  Vector3,
} from 'three';
import { type GLTF, GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { type ProductNode, type ProductRow, productRows } from '../product.ts';

/** The layers of meshes and lines; render passes for bodies exclude the layer of lines. */
export const LAYERS = { bodies: 0, lines: 1 };

/**
 * A mesh with its material in the file, and one in the tint of its part if the file contains it. `source` is its place
 * in the file; for a mesh that is another one in other colors, the place of that one.
 */
export type Body = {
  mesh: Mesh;
  row: number;
  material: Mesh['material'];
  tinted: Material | null;
  source: { mesh: number; primitive: number };
};

export type Model = {
  root: Object3D;
  rows: ProductRow[];
  /** The 3D object of each row. */
  objects: Object3D[];
  /** All bodies with the row each belongs to. */
  bodies: Body[];
  /** The file has colors of its own beside the tints of the parts. */
  hasColors: boolean;
  triangles: number;
  /** The file contains lines of its own. */
  hasLines: boolean;
  /** Maximum distance between triangles and exact shape, in mm; null if the file does not contain it. */
  chordError: number | null;
  dispose(): void;
};

/** Loads a GLB. Throws the loader's error if the file is invalid or uses a compression that needs WebAssembly. */
export async function loadModel(data: ArrayBuffer): Promise<Model> {
  const { scene, parser } = await new GLTFLoader().parseAsync(data, '');
  const nodeOf = (object: Object3D): number | undefined => parser.associations.get(object)?.nodes;
  const objects: Object3D[] = [];
  const rowOf = new Map<Object3D, number>();
  const nameIn = (list: unknown, index: number | undefined): string => {
    const entry: unknown = Array.isArray(list) && index !== undefined ? list[index] : null;
    return entry && typeof entry === 'object' && 'name' in entry && typeof entry.name === 'string' ? entry.name : '';
  };
  const productOf = (object: Object3D): ProductNode => {
    rowOf.set(object, objects.length);
    objects.push(object);
    return {
      name: nameIn(parser.json.nodes, nodeOf(object)),
      product: nameIn(parser.json.meshes, parser.associations.get(object)?.meshes),
      ...bodiesOf(object, nodeOf),
      children: object.children.filter((child) => isNode(child, nodeOf)).map(productOf),
    };
  };
  const rows = productRows(productOf(productRoot(scene, nodeOf)));
  scene.updateMatrixWorld(true);

  const bodies: Body[] = [];
  const tints = new Map<string, Material>();
  let hasLines = false;
  scene.traverse((object) => {
    if (object instanceof LineSegments) {
      object.layers.set(LAYERS.lines);
      hasLines = true;
    }
    if (!(object instanceof Mesh)) return;
    let owner: Object3D | null = object;
    while (owner && !rowOf.has(owner)) owner = owner.parent;
    object.matrixAutoUpdate = false;
    for (const material of materialsOf(object)) prepareMaterial(material);
    const tinted = tintedMaterial(object, tints);
    const { meshes = -1, primitives = 0 } = parser.associations.get(object) ?? {};
    const row = owner ? (rowOf.get(owner) ?? 0) : 0;
    const source = { mesh: sharedMesh(object) ?? meshes, primitive: primitives };
    bodies.push({ mesh: object, row, material: object.material, tinted, source });
  });
  const triangles = bodies.reduce((sum, { mesh }) => sum + trianglesOf(mesh.geometry), 0);
  return {
    root: scene,
    rows,
    objects,
    bodies,
    triangles,
    hasLines,
    hasColors: tints.size > 0,
    chordError: chordErrorIn(parser.json),
    dispose: () => {
      for (const { mesh, material } of bodies) mesh.material = material;
      for (const material of tints.values()) material.dispose();
      disposeTree(scene);
    },
  };
}

function chordErrorIn({ asset }: GLTF['parser']['json']): number | null {
  const error: unknown = asset?.extras?.chordErrorMm;
  return typeof error === 'number' && error > 0 ? error : null;
}

export const trianglesOf = (geometry: BufferGeometry): number =>
  (geometry.index?.count ?? geometry.attributes.position?.count ?? 0) / 3;

type NodeOf = (object: Object3D) => number | undefined;

const isNode = (object: Object3D, nodeOf: NodeOf): boolean =>
  nodeOf(object) !== undefined && object.type !== 'Bone' && !isCameraOrLight(object);
const isCameraOrLight = (object: Object3D): boolean => object.type.endsWith('Camera') || object.type.endsWith('Light');

const ORIENTATION_NODE = /\b[xyz][- ]?up$/i; // e.g. Y-up

// Skips the root nodes that engines add to rotate the model.
function productRoot(scene: Object3D, nodeOf: NodeOf): Object3D {
  let top = scene;
  for (;;) {
    const [only, ...others] = top.children.filter((child) => isNode(child, nodeOf));
    if (
      !only ||
      others.length > 0 ||
      (nodeOf(top) !== undefined && !ORIENTATION_NODE.test(top.userData.name ?? top.name))
    )
      return top;
    top = only;
  }
}

function bodiesOf(object: Object3D, nodeOf: NodeOf): { bodies: number; triangles: number } {
  const own =
    object instanceof Mesh
      ? [object]
      : object.children.filter((child) => child instanceof Mesh && nodeOf(child) === undefined);
  const triangles = own.reduce((sum, mesh) => sum + (mesh instanceof Mesh ? trianglesOf(mesh.geometry) : 0), 0);
  return { bodies: own.length > 0 ? 1 : 0, triangles };
}

const materialsOf = (mesh: Mesh): Material[] => [mesh.material].flat();

// An instance in a color of its own has a mesh whose `extras` name the mesh of the part, which measuring data refers to.
const sharedMesh = ({ userData }: Mesh): number | null =>
  Number.isSafeInteger(userData.mesh) ? Number(userData.mesh) : null;

// The engine writes the tint of a part with colors of its own into `extras` of its mesh. A tint is opaque.
function tintedMaterial({ material, userData }: Mesh, known: Map<string, Material>): Material | null {
  const tint: unknown = userData.tint;
  if (!(material instanceof MeshStandardMaterial) || !isColor(tint)) return null;
  const key = tint.join();
  const tinted = known.get(key) ?? material.clone();
  if (tinted instanceof MeshStandardMaterial) tinted.color.setRGB(...tint);
  Object.assign(tinted, { transparent: false, opacity: 1, depthWrite: true });
  known.set(key, tinted);
  return tinted;
}

const isColor = (value: unknown): value is [number, number, number] =>
  Array.isArray(value) && value.length === 3 && value.every((channel) => channel >= 0 && channel <= 1);

// Draws both sides, because sections show bodies from inside, and pushes faces back behind their lines.
function prepareMaterial(material: Material): void {
  material.side = DoubleSide;
  material.polygonOffset = true;
  material.polygonOffsetFactor = 1.5;
  material.polygonOffsetUnits = 4;
}

/** Returns the exact box of an object's vertices, in meters; the union of its parts' boxes can be larger. */
export function boxOf(object: Object3D): Box3 {
  const box = new Box3();
  const point = new Vector3();
  const walk = (each: Object3D) => {
    if (each instanceof Mesh) addMesh(box, each, point);
    for (const child of each.children) walk(child);
  };
  walk(object);
  return box;
}

function addMesh(box: Box3, { geometry, matrixWorld }: Mesh, point: Vector3): void {
  geometry.boundingBox ?? geometry.computeBoundingBox();
  const own = geometry.boundingBox;
  if (!own || own.isEmpty()) return;
  const moved = own.clone().applyMatrix4(matrixWorld);
  if (isRightAngled(matrixWorld) || box.containsBox(moved)) {
    box.union(moved);
    return;
  }
  const positions = geometry.attributes.position;
  if (!positions) return;
  for (let i = 0; i < positions.count; i++)
    box.expandByPoint(point.fromBufferAttribute(positions, i).applyMatrix4(matrixWorld));
}

/** Whether a matrix rotates by right angles only: then the box of the rotated points is the rotated box. */
function isRightAngled({ elements }: Matrix4): boolean {
  return [0, 4, 8].every((column) => {
    const parts = [0, 1, 2].map((row) => Math.abs(elements[column + row] ?? 0));
    const largest = Math.max(...parts);
    return parts.filter((part) => part > largest * 1e-9).length === 1;
  });
}

function disposeTree(root: Object3D): void {
  root.traverse((object) => {
    if (!(object instanceof Mesh || object instanceof LineSegments)) return;
    object.geometry.dispose();
    for (const material of [object.material].flat() as Material[]) {
      for (const value of Object.values(material))
        if (value && typeof value === 'object' && 'isTexture' in value) value.dispose();
      material.dispose();
    }
  });
}
