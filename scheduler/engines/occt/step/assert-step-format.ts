import { isOfb } from '../../../../subgraphs/core/domain/jobs/ofb.ts';
import { fail } from '../job-failure.ts';

/** Throws JobFailure `needs_classcad` for OFB and `unsupported_format` for other known formats, detected by content. */
export function assertStepFormat(bytes: Buffer): void {
  const head = bytes.toString('latin1', 0, 512);
  if (isOfb(bytes)) {
    fail(
      'needs_classcad',
      'the file is OFB: OFB requires a ClassCAD engine; the built-in engine reads and writes STEP',
    );
  }
  const format = FORMATS.find(([, matches]) => matches(head, bytes))?.[0];
  if (format)
    fail('unsupported_format', `the file is ${format}, not STEP; the built-in engine reads STEP (AP203, AP214, AP242)`);
}

const FORMATS: [name: string, matches: (head: string, bytes: Buffer) => boolean][] = [
  ['GLB', (head) => head.startsWith('glTF')],
  ['PDF', (head) => head.startsWith('%PDF')],
  ['an image', (head) => head.startsWith('\x89PNG') || head.startsWith('\xff\xd8\xff')],
  ['OCCT BREP', (head) => head.startsWith('DBRep_DrawableShape') || head.startsWith('CASCADE Topology')],
  ['Parasolid', (head) => head.startsWith('**ABCDEF')],
  ['STL', (head, bytes) => /^\s*solid\b[\s\S]*\bfacet\b/.test(head) || isBinaryStl(bytes)],
  ['IGES', (head) => /^.{72}S {0,6}\d/.test(head)],
];

// Layout: an 80-byte header, the number of triangles, 50 bytes per triangle.
const isBinaryStl = (bytes: Buffer) => bytes.length > 84 && bytes.length === 84 + 50 * bytes.readUInt32LE(80);
