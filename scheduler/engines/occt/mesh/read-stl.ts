import { fail } from '../job-failure.ts';
import { checkTriangles, type Triangles } from './triangles.ts';

const HEADER = 84;
const FACET = 50;

/** Reads a binary or ASCII STL file. */
export function readStl(bytes: Buffer): Triangles {
  const positions = isText(bytes) ? readText(bytes.toString('latin1')) : readBinary(bytes);
  return checkTriangles(
    positions,
    Uint32Array.from({ length: positions.length / 3 }, (_, i) => i),
  );
}

// Many binary files start with "solid", too.
function isText(bytes: Buffer): boolean {
  const isBinary = bytes.length >= HEADER && bytes.length === HEADER + FACET * bytes.readUInt32LE(80);
  return !isBinary && /^\s*solid\b[\s\S]*\b(facet|endsolid)\b/.test(bytes.toString('latin1', 0, 512));
}

function readBinary(bytes: Buffer): Float32Array {
  const count = bytes.length < HEADER ? 0 : bytes.readUInt32LE(80);
  if (bytes.length < HEADER + FACET * count || bytes.length < HEADER)
    fail('truncated', `the STL file has ${bytes.length} bytes, which is too short for ${count} triangles`);
  const positions = new Float32Array(count * 9);
  for (let at = 0; at < positions.length; at++)
    positions[at] = bytes.readFloatLE(HEADER + FACET * Math.floor(at / 9) + 12 + 4 * (at % 9));
  return positions;
}

function readText(text: string): number[] {
  const positions: number[] = [];
  for (const [, x, y, z] of text.matchAll(/\bvertex[ \t]+(\S+)[ \t]+(\S+)[ \t]+(\S+)/gi))
    positions.push(Number(x), Number(y), Number(z));
  if (positions.length % 9) fail('truncated', 'the STL file ends within a triangle');
  return positions;
}
