import { strToU8, zipSync } from 'fflate';
import type { MeshExportFormat } from '../../../../subgraphs/core/domain/formats/formats.ts';
import { pluralize } from '../../../../subgraphs/core/domain/text/pluralize.ts';
import { fail } from '../job-failure.ts';
import { sanitizeName } from '../limits.ts';
import type { Reporter } from '../process/reporter.ts';
import type { Matrix } from '../product/matrix.ts';
import { definitionsOf, type Placement, placements } from '../product/product.ts';
import { displayMesh } from './display-mesh.ts';
import { type MeshDefinition, type MeshPart, placeMeshes, transform } from './place-meshes.ts';
import { readGltf } from './read-gltf.ts';
import type { Triangles } from './triangles.ts';
import { type Welded, weld } from './weld.ts';

type Placed = Placement<Triangles>;

/** Triangles in all places of a file in which parts cannot share them. */
const MAX_TRIANGLES = 5_000_000;

/** Writes the triangles of a GLB in another format, in mm with Z up. */
export async function exportMesh(
  glb: Buffer,
  format: MeshExportFormat,
  name: string,
  report: Reporter,
): Promise<Uint8Array> {
  const root = placeMeshes(await readGltf(glb), sanitizeName(name));
  report.progress(30, 'read');
  const placed = placements(root);
  const total = placed.reduce((sum, { part }) => sum + part.shape.indices.length / 3, 0);
  if (total > MAX_TRIANGLES && format !== 'THREE_MF')
    fail('too_large', `the model has ${total} triangles in all places; the maximum is ${MAX_TRIANGLES}`);
  const parts = new Map([...definitionsOf(root)].flatMap((part) => (part.shape ? [[part, weld(part.shape)]] : [])));
  reportOpenEdges(parts, report);
  report.progress(60, 'welded');
  const bytes = WRITERS[format](placed, parts, root);
  report.progress(90, 'written');
  return bytes;
}

type Writer = (placed: Placed[], parts: ReadonlyMap<MeshPart, Welded>, root: MeshDefinition) => Uint8Array;

const WRITERS: Record<MeshExportFormat, Writer> = { STL: writeStl, OBJ: writeObj, THREE_MF: write3mf };

// Triangles of different faces have their own vertices in a GLB.
function reportOpenEdges(parts: ReadonlyMap<MeshPart, Welded>, report: Reporter): void {
  for (const [{ name }, welded] of parts) {
    const { open, twisted } = displayMesh(welded).edges;
    if (open + twisted)
      report.log(`warning not_watertight: part ${sanitizeName(name)} has ${pluralize(open + twisted, 'open edge')}`);
  }
}

function writeStl(placed: Placed[]): Uint8Array {
  const meshes = placed.map(({ part, matrix }) => transform(part.shape, matrix));
  const count = meshes.reduce((sum, { indices }) => sum + indices.length / 3, 0);
  const bytes = Buffer.alloc(84 + 50 * count);
  bytes.write('Binary STL in mm');
  bytes.writeUInt32LE(count, 80);
  let at = 84;
  for (const { positions: p, indices } of meshes) {
    for (let i = 0; i < indices.length; i += 3) {
      const corners = [0, 1, 2].map((corner) => 3 * indices[i + corner]!);
      const values = [...normalOf(p, corners), ...corners.flatMap((from) => [p[from]!, p[from + 1]!, p[from + 2]!])];
      for (const value of values) at = bytes.writeFloatLE(value, at);
      at += 2;
    }
  }
  return bytes;
}

function normalOf(p: Float64Array, corners: readonly number[]): number[] {
  const [a, b, c] = corners as [number, number, number];
  const u = [0, 1, 2].map((axis) => p[b + axis]! - p[a + axis]!) as [number, number, number];
  const v = [0, 1, 2].map((axis) => p[c + axis]! - p[a + axis]!) as [number, number, number];
  const normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
  const length = Math.hypot(...normal) || 1;
  return normal.map((value) => value / length);
}

// Nine digits identify a single-precision number.
const digits = (value: number) => String(Number(value.toPrecision(9)));

function writeObj(placed: Placed[], parts: ReadonlyMap<MeshPart, Welded>): Uint8Array {
  const lines = ['# in mm'];
  let first = 1;
  for (const { part, matrix } of placed) {
    const { points, triangles } = parts.get(part)!;
    const { positions } = transform({ positions: points, indices: triangles, groups: [] }, matrix);
    lines.push(`o ${sanitizeName(part.name)}`);
    for (let i = 0; i < positions.length; i += 3)
      lines.push(`v ${digits(positions[i]!)} ${digits(positions[i + 1]!)} ${digits(positions[i + 2]!)}`);
    for (let i = 0; i < triangles.length; i += 3)
      lines.push(`f ${first + triangles[i]!} ${first + triangles[i + 1]!} ${first + triangles[i + 2]!}`);
    first += positions.length / 3;
  }
  return Buffer.from(`${lines.join('\n')}\n`);
}

const NAMESPACE = 'http://schemas.microsoft.com/3dmanufacturing/core/2015/02';
const CONTENT_TYPES =
  '<?xml version="1.0" encoding="UTF-8"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="model" ContentType="application/vnd.ms-package.3dmanufacturing-3dmodel+xml"/></Types>';
const RELATIONSHIPS =
  '<?xml version="1.0" encoding="UTF-8"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Target="/3D/3dmodel.model" Id="model" Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/></Relationships>';
// The earliest time that an archive can contain, so that equal models give equal bytes.
const TIME = '1980-01-01T00:00:00';

function write3mf(placed: Placed[], parts: ReadonlyMap<MeshPart, Welded>, root: MeshDefinition): Uint8Array {
  const ids = new Map([...parts.keys()].map((part, i) => [part, i + 1]));
  const objects = [...parts].map(([part, welded]) => objectXml(ids.get(part)!, part.name, welded));
  const components = placed.map(
    ({ part, matrix }) => `<component objectid="${ids.get(part)}" transform="${transformText(matrix)}"/>`,
  );
  const top = parts.size + 1;
  if (!root.shape)
    objects.push(
      `<object id="${top}" type="model" name="${escapeXml(root.name)}"><components>${components.join('')}</components></object>`,
    );
  const model = `<?xml version="1.0" encoding="UTF-8"?><model unit="millimeter" xmlns="${NAMESPACE}"><resources>${objects.join('')}</resources><build><item objectid="${root.shape ? 1 : top}"/></build></model>`;
  const files = {
    '[Content_Types].xml': strToU8(CONTENT_TYPES),
    '_rels/.rels': strToU8(RELATIONSHIPS),
    '3D/3dmodel.model': strToU8(model),
  };
  return zipSync(files, { mtime: TIME });
}

function objectXml(id: number, name: string, { points, triangles }: Welded): string {
  const rows: string[] = [`<object id="${id}" type="model" name="${escapeXml(name)}"><mesh><vertices>`];
  for (let i = 0; i < points.length; i += 3)
    rows.push(`<vertex x="${digits(points[i]!)}" y="${digits(points[i + 1]!)}" z="${digits(points[i + 2]!)}"/>`);
  rows.push('</vertices><triangles>');
  for (let i = 0; i < triangles.length; i += 3)
    rows.push(`<triangle v1="${triangles[i]}" v2="${triangles[i + 1]}" v3="${triangles[i + 2]}"/>`);
  rows.push('</triangles></mesh></object>');
  return rows.join('');
}

// Row vectors: the columns of the matrix, the translation last.
const transformText = (m: Matrix): string =>
  [0, 1, 2, 3].flatMap((column) => [0, 1, 2].map((row) => digits(m[4 * row + column]!))).join(' ');

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escapeXml = (text: string): string =>
  sanitizeName(text)
    .toWellFormed()
    .replace(/[&<>"]/g, (character) => ESCAPES[character]!);
