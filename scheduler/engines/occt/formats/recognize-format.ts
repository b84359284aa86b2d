import { type FormatId, formatOf } from '../../../../subgraphs/core/domain/formats/formats.ts';
import { isOfb } from '../../../../subgraphs/core/domain/jobs/ofb.ts';

/** Returns the format that the content of a file shows, otherwise the one of its name. Null if neither is known. */
export function recognizeFormat(bytes: Buffer, fileName: string): FormatId | null {
  return recognizeContent(bytes) ?? formatOf(fileName);
}

/** Returns the format of a file by its first bytes. Null if they do not show it, as for OBJ and most native formats. */
export function recognizeContent(bytes: Buffer): FormatId | null {
  const head = bytes.toString('latin1', 0, 512);
  return SIGNATURES.find(([, matches]) => matches(head, bytes))?.[0] ?? null;
}

const SIGNATURES: [id: FormatId, matches: (head: string, bytes: Buffer) => boolean][] = [
  ['ofb', (_head, bytes) => isOfb(bytes)],
  ['step', (head) => head.includes('ISO-10303-21;')],
  ['glb', (head) => head.startsWith('glTF')],
  ['pdf', (head) => head.startsWith('%PDF')],
  ['png', (head) => head.startsWith('\x89PNG')],
  ['jpeg', (head) => head.startsWith('\xff\xd8\xff')],
  ['dwg', (head) => /^AC10\d\d/.test(head)],
  ['brep', (head) => /^\s*(DBRep_DrawableShape|CASCADE Topology)/.test(head) || isBinaryBrep(head)],
  ['parasolid', (head) => head.startsWith('**ABCDEF')],
  ['ply', (head) => /^ply\r?\n/.test(head)],
  ['stl', (head, bytes) => /^\s*solid\b[\s\S]*\bfacet\b/.test(head) || isBinaryStl(bytes)],
  ['iges', (head) => /^.{72}S {0,6}\d/.test(head)],
  ['3mf', (head, bytes) => head.startsWith('PK\x03\x04') && bytes.includes('3D/3dmodel.model')],
  ['fcstd', (head, bytes) => head.startsWith('PK\x03\x04') && /Document\.xml|\.fcstd/i.test(directoryOf(bytes))],
];

/** Returns whether a file starts as a binary BREP file of OCCT. */
export const isBinaryBrep = (head: string): boolean => /^\s*Open CASCADE Topology V\d/.test(head);

// The names in a ZIP archive are in its directory at the end.
const directoryOf = (bytes: Buffer) => bytes.toString('latin1', Math.max(0, bytes.length - 1_000_000));

// Layout: an 80-byte header, the number of triangles, 50 bytes per triangle.
const isBinaryStl = (bytes: Buffer) => bytes.length > 84 && bytes.length === 84 + 50 * bytes.readUInt32LE(80);
