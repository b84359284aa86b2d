import { parseXml } from '../formats/parse-xml.ts';
import { unzip } from '../formats/unzip.ts';
import { fail } from '../job-failure.ts';
import { LIMITS, sanitizeName } from '../limits.ts';
import { IDENTITY, type Matrix, multiply } from '../product/matrix.ts';
import type { Colour } from '../product/palette.ts';
import type { PlacedMesh } from './place-meshes.ts';
import { checkTriangles, type Triangles } from './triangles.ts';

const ROOT = '3D/3dmodel.model';
const MM = { micron: 0.001, millimeter: 1, centimeter: 10, inch: 25.4, foot: 304.8, meter: 1000 };

type Use = { path: string; id: string; matrix: Matrix };
type Item = { name: string; colour: Colour | null; positions: number[]; indices: number[]; components: Use[] };
type Model = { scale: number; unit: string; objects: Map<string, Item>; build: Use[] };

/** Reads the build items of a 3MF file with their components, also those in other model files of the archive. */
export function read3mf(bytes: Buffer, maxBytes: number): { placed: PlacedMesh[]; unit: string } {
  const files = unzip(bytes, /^\/?3D\/.*\.model$/i, maxBytes);
  const models = new Map([...files].map(([path, content]) => [path.replace(/^\//, ''), readModel(content, path)]));
  const root = models.get(ROOT) ?? models.values().next().value;
  if (!root) fail('unsupported_format', 'the archive contains no 3D model');
  const meshes = new Map<Item, Triangles>();
  const meshOf = (item: Item): Triangles => {
    const known = meshes.get(item) ?? checkTriangles(item.positions, item.indices, item.colour);
    meshes.set(item, known);
    return known;
  };
  const placed: PlacedMesh[] = [];
  const place = ({ path, id, matrix }: Use, depth: number): void => {
    if (depth > LIMITS.depth) fail('too_deep', `the components are nested more than ${LIMITS.depth} deep`);
    const model = models.get(path) ?? root;
    const item = model.objects.get(id) ?? fail('dangling', `the object ${sanitizeName(id)} is not in the file`);
    if (item.indices.length) {
      if (placed.length >= LIMITS.occurrences)
        fail('too_many_occurrences', `the file places more than ${LIMITS.occurrences} meshes`);
      placed.push({ mesh: meshOf(item), name: item.name, matrix: scaled(matrix, model.scale) });
    }
    for (const use of item.components) place({ ...use, matrix: multiply(matrix, use.matrix) }, depth + 1);
  };
  for (const use of root.build) place(use, 0);
  return { placed, unit: root.unit };
}

function readModel(content: Uint8Array, file: string): Model {
  const model: Model = { scale: 1, unit: 'millimeter', objects: new Map(), build: [] };
  const path = file.replace(/^\//, '');
  const colours = new Map<string, Colour[]>();
  let item: Item | null = null;
  let palette: Colour[] = [];
  const useOf = (attributes: Readonly<Record<string, string>>): Use => ({
    path: attributes['p:path']?.replace(/^\//, '') ?? path,
    id: attributes.objectid ?? '',
    matrix: matrixOf(attributes.transform, model.scale),
  });
  parseXml(content, {
    open(name, attributes) {
      const number = (key: string) => Number(attributes[key] ?? Number.NaN);
      switch (name) {
        case 'model': {
          model.unit = attributes.unit ?? 'millimeter';
          if (!Object.hasOwn(MM, model.unit))
            fail('syntax', `the 3MF file has the unknown unit ${sanitizeName(model.unit)}`);
          model.scale = MM[model.unit as keyof typeof MM];
          break;
        }
        case 'basematerials':
          palette = [];
          colours.set(attributes.id ?? '', palette);
          break;
        case 'base':
          palette.push(colourOf(attributes.displaycolor));
          break;
        case 'object': {
          const colour = colours.get(attributes.pid ?? '')?.[Number(attributes.pindex ?? 0)] ?? null;
          const label = attributes.name || `Object ${attributes.id}`;
          item = { name: label, colour, positions: [], indices: [], components: [] };
          model.objects.set(attributes.id ?? '', item);
          break;
        }
        case 'vertex':
          item?.positions.push(number('x'), number('y'), number('z'));
          break;
        case 'triangle':
          item?.indices.push(number('v1'), number('v2'), number('v3'));
          break;
        case 'component':
          item?.components.push(useOf(attributes));
          break;
        case 'item':
          model.build.push(useOf(attributes));
          break;
      }
    },
    close(name) {
      if (name === 'object') item = null;
    },
  });
  return model;
}

// Row vectors: the last three numbers are the translation, in the unit of the file.
function matrixOf(text: string | undefined, scale: number): Matrix {
  if (!text?.trim()) return IDENTITY;
  const m = text.trim().split(/\s+/).map(Number);
  if (m.length !== 12 || !m.every(Number.isFinite)) fail('syntax', 'a transform of the 3MF file is invalid');
  const row = (i: number) => [m[i]!, m[i + 3]!, m[i + 6]!, m[i + 9]! * scale];
  return [...row(0), ...row(1), ...row(2), 0, 0, 0, 1];
}

const scaled = (matrix: Matrix, factor: number): Matrix =>
  factor === 1 ? matrix : matrix.map((value, at) => (at % 4 === 3 || at > 11 ? value : value * factor));

function colourOf(text = ''): Colour {
  const [, red, green, blue] = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})/i.exec(text) ?? [];
  return [red, green, blue].map((each) => Number.parseInt(each ?? 'c0', 16)) as unknown as Colour;
}
