import { isOfb } from '../../../../subgraphs/core/domain/ofb.ts';
import { refuse } from '../refusal.ts';

/** Refuses everything that is known and not STEP, by its content and never by its name: `needs_classcad` for OFB, else `unsupported_format`. */
export function refuseForeignFormat(bytes: Buffer): void {
  const head = bytes.toString('latin1', 0, 512);
  if (isOfb(bytes)) {
    refuse(
      'needs_classcad',
      'the source is OFB: OFB needs the ClassCAD engine; the built-in engine reads and writes STEP',
    );
  }
  const format = FORMATS.find(([, matches]) => matches(head, bytes))?.[0];
  if (format)
    refuse(
      'unsupported_format',
      `the source is ${format}, not STEP; the built-in engine reads STEP (AP203, AP214, AP242)`,
    );
}

const FORMATS: [name: string, matches: (head: string, bytes: Buffer) => boolean][] = [
  ['GLB', (head) => head.startsWith('glTF')],
  ['ZIP', (head) => head.startsWith('PK\x03\x04')],
  ['gzip', (head) => head.startsWith('\x1f\x8b')],
  ['PDF', (head) => head.startsWith('%PDF')],
  ['a picture', (head) => head.startsWith('\x89PNG') || head.startsWith('\xff\xd8\xff')],
  ['OCCT BREP', (head) => head.startsWith('DBRep_DrawableShape') || head.startsWith('CASCADE Topology')],
  ['Parasolid', (head) => head.startsWith('**ABCDEF')],
  ['STL', (head, bytes) => /^\s*solid\b[\s\S]*\bfacet\b/.test(head) || isBinaryStl(bytes)],
  ['IGES', (head) => /^.{72}S {0,6}\d/.test(head)],
];

// 80 bytes of anything, the number of triangles, 50 bytes for each.
const isBinaryStl = (bytes: Buffer) => bytes.length > 84 && bytes.length === 84 + 50 * bytes.readUInt32LE(80);
