import { extname } from 'node:path';
import { FORMATS, type FormatId } from '../../../../subgraphs/core/domain/formats/formats.ts';
import { pluralize } from '../../../../subgraphs/core/domain/text/pluralize.ts';
import type { DerivedArtifacts } from '../derived-artifacts.ts';
import { fail } from '../job-failure.ts';
import { sanitizeName } from '../limits.ts';
import type { Reporter } from '../process/reporter.ts';
import type { BoundingBox } from '../product/bounding-box.ts';
import { IDENTITY, transformPoint, type Vector } from '../product/matrix.ts';
import type { Mesh } from '../product/mesh.ts';
import { type Colour, surfacesOf, tintParts } from '../product/palette.ts';
import { definitionsOf, placements, type Warning } from '../product/product.ts';
import { encodeJson } from '../product/properties.ts';
import { type StructureEntry, structureTree } from '../product/structure-tree.ts';
import { writeGlb } from '../product/write-glb.ts';
import { encodePng } from '../render/encode-png.ts';
import { renderImage } from '../render/render-image.ts';
import { displayMesh } from './display-mesh.ts';
import { type MeshEdges, type MeshMeasures, measureMesh } from './mesh-edges.ts';
import { type MeshDefinition, type MeshPart, type PlacedMesh, placeMeshes } from './place-meshes.ts';
import { read3mf } from './read-3mf.ts';
import { readGltf } from './read-gltf.ts';
import { IGES_READER, readIges } from './read-iges.ts';
import { readObj } from './read-obj.ts';
import { readPly } from './read-ply.ts';
import { readStl } from './read-stl.ts';
import type { Triangles } from './triangles.ts';
import { weld } from './weld.ts';

/** The `properties` artifact of a model that has only triangles, in mm. `volume` is null unless they enclose one. */
type MeshProperties = {
  units: 'mm';
  /** Nothing is known about the surfaces that the triangles approximate. */
  representation: 'mesh';
  boundingBox: BoundingBox;
  volume: number | null;
  area: number;
  centreOfMass: Vector | null;
  triangles: number;
  /** Edges that do not belong to two triangles. */
  openEdges: number;
  definitions: number;
  occurrences: number;
  products: number;
  structure: StructureEntry;
  source: { format: string; unit: string | null; name: string };
  warnings: Warning[];
  engine: string;
};

type MeshFile = {
  placed: PlacedMesh[];
  unit: string | null;
  warnings?: Warning[];
  /** How far the triangles may be from surfaces in the file, in mm. */
  chordError?: number;
};

/** Converts a file that contains only triangles to GLB, properties and thumbnail. */
export async function convertMesh(
  bytes: Buffer,
  format: FormatId,
  fileName: string,
  maxBytes: number,
  report: Reporter,
): Promise<DerivedArtifacts> {
  if (bytes.length > maxBytes)
    fail('too_large', `the file has ${bytes.length} bytes; the built-in engine accepts up to ${maxBytes}`);
  const { placed, unit, warnings = [], chordError = 0 } = await readFile(bytes, format, maxBytes);
  const name = fileName.slice(0, fileName.length - extname(fileName).length) || 'Mesh';
  const root = placeMeshes(placed, sanitizeName(name));
  report.progress(30, 'read');
  const bodies = prepareBodies(root);
  report.progress(60, 'meshed');
  const source = { format: FORMATS[format].name, unit, name: sanitizeName(name) };
  const properties = measure(root, bodies, source, chordError);
  properties.warnings.unshift(...warnings);
  if (format === 'iges') properties.engine = IGES_READER;
  for (const { code, message } of properties.warnings) report.log(`warning ${code}: ${message}`);
  report.log(`found: ${pluralize(properties.triangles, 'triangle')} in ${pluralize(bodies.size, 'mesh', 'meshes')}`);
  report.progress(75, 'measured');
  const meshes = new Map([...bodies].map(([part, { mesh }]) => [part, mesh]));
  const tints = tintParts(meshes);
  const surfaces = new Map([...meshes].map(([part, mesh]) => [part, surfacesOf(part, mesh, tints.get(part)!)]));
  const items = placements(root).map(({ part, matrix }) => ({
    mesh: meshes.get(part)!,
    matrix,
    surfaces: surfaces.get(part)!,
  }));
  const thumbnail = encodePng(renderImage(items, THUMBNAIL_PIXELS));
  report.progress(90, 'rendered');
  const glb = await writeGlb({ root, meshes, surfaces, tints, tolerance: chordError });
  return { properties: encodeJson(properties), thumbnail, glb };
}

const THUMBNAIL_PIXELS = 512;

async function readFile(bytes: Buffer, format: FormatId, maxBytes: number): Promise<MeshFile> {
  switch (format) {
    case 'stl':
      return withoutUnit(readStl(bytes));
    case 'obj':
      return withoutUnit(readObj(bytes));
    case 'ply':
      return withoutUnit(readPly(bytes));
    case '3mf':
      return read3mf(bytes, maxBytes);
    case 'iges':
      return withoutSurfaces(await readIges(bytes));
    case 'glb':
    case 'gltf':
      return { placed: await readGltf(bytes), unit: 'meter' };
    default:
      return fail('unsupported_format', `${FORMATS[format].name} is not a format of meshes`);
  }
}

const inPlace = (mesh: Triangles) => [{ mesh, name: 'Mesh', matrix: IDENTITY }];

const withoutUnit = (mesh: Triangles): MeshFile => ({
  placed: inPlace(mesh),
  unit: null,
  warnings: [{ code: 'no_unit', message: 'the file specifies no length unit; millimeters are assumed' }],
});

function withoutSurfaces({ mesh, chordError }: { mesh: Triangles; chordError: number }): MeshFile {
  const message = `the surfaces of the file are read as triangles with a chord error of ${chordError.toPrecision(2)} mm; a STEP file would be exact`;
  return { placed: inPlace(mesh), unit: null, chordError, warnings: [{ code: 'mesh_only', message }] };
}

type Body = { mesh: Mesh; edges: MeshEdges; measures: MeshMeasures };

function prepareBodies(root: MeshDefinition): Map<MeshPart, Body> {
  const bodies = new Map<MeshPart, Body>();
  for (const part of definitionsOf(root)) {
    if (!part.shape) continue;
    const welded = weld(part.shape);
    bodies.set(part, { ...displayMesh(welded), measures: measureMesh(welded) });
    setColours(part, part.shape);
  }
  return bodies;
}

function setColours(part: MeshPart, { groups }: Triangles): void {
  const colours = new Set(groups.map(({ colour }) => colour?.join()));
  if (colours.size > 1) part.faceColours = groups.map(({ colour }) => colour);
  else if (groups[0]?.colour) part.colour = groups[0].colour as Colour;
}

function measure(
  root: MeshDefinition,
  bodies: ReadonlyMap<MeshPart, Body>,
  source: MeshProperties['source'],
  chordError: number,
): MeshProperties {
  const placed = placements(root);
  const bodyOf = (part: MeshPart) => bodies.get(part)!;
  const sum = (value: (body: Body) => number) => placed.reduce((total, { part }) => total + value(bodyOf(part)), 0);
  const openEdges = sum(({ edges }) => edges.open);
  const twistedEdges = sum(({ edges }) => edges.twisted);
  const volume = sum(({ measures }) => Math.abs(measures.volume));
  const isClosed = openEdges + twistedEdges === 0 && volume > 0;
  const moment = [0, 0, 0];
  for (const { part, matrix } of placed) {
    const { measures } = bodyOf(part);
    const centre = transformPoint(matrix, measures.centre);
    for (let axis = 0; axis < 3; axis++) moment[axis]! += centre[axis]! * Math.abs(measures.volume);
  }
  const warnings: Warning[] = [];
  if (!isClosed) warnings.push({ code: 'not_watertight', message: openMessage(openEdges, twistedEdges) });
  if (isClosed && [...bodies.values()].some(({ measures }) => measures.volume < 0))
    warnings.push({
      code: 'inverted_solid',
      message: 'the triangles of a mesh point inwards; the absolute value of its volume is reported',
    });
  return {
    units: 'mm',
    representation: 'mesh',
    boundingBox: { ...boxOf(root, bodies), uncertainty: chordError },
    volume: isClosed ? volume : null,
    area: sum(({ measures }) => measures.area),
    centreOfMass: isClosed ? (moment.map((value) => value / volume) as unknown as Vector) : null,
    triangles: sum(({ mesh }) => mesh.indices.length / 3),
    openEdges,
    definitions: bodies.size,
    occurrences: placed.length,
    products: definitionsOf(root).size,
    structure: structureTree(root),
    source,
    warnings,
    engine: 'PDM mesh reader',
  };
}

function openMessage(open: number, twisted: number): string {
  const found = [
    ...(open ? [pluralize(open, 'open edge')] : []),
    ...(twisted ? [`${pluralize(twisted, 'edge')} between triangles of opposite orientation`] : []),
  ];
  return `not watertight: ${found.join(', ') || 'no volume'}; volume and center of mass are omitted`;
}

function boxOf(root: MeshDefinition, bodies: ReadonlyMap<MeshPart, Body>): Omit<BoundingBox, 'uncertainty'> {
  const min = [Infinity, Infinity, Infinity];
  const max = [-Infinity, -Infinity, -Infinity];
  for (const { part, matrix } of placements(root)) {
    const { positions } = bodies.get(part)!.mesh;
    for (let i = 0; i < positions.length; i += 3) {
      const point = transformPoint(matrix, [positions[i]!, positions[i + 1]!, positions[i + 2]!]);
      for (let axis = 0; axis < 3; axis++) {
        min[axis] = Math.min(min[axis]!, point[axis]!);
        max[axis] = Math.max(max[axis]!, point[axis]!);
      }
    }
  }
  const vector = (values: number[]) => values as unknown as Vector;
  return { min: vector(min), max: vector(max), size: vector(max.map((value, i) => value - min[i]!)) };
}
