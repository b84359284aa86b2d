import { addPolygon, checkTriangles, type Triangles } from './triangles.ts';

/** Reads the faces of a Wavefront OBJ file as one mesh. Materials, curves and surfaces are ignored. */
export function readObj(bytes: Buffer): Triangles {
  const positions: number[] = [];
  const indices: number[] = [];
  for (const line of linesOf(bytes.toString('latin1'))) {
    const [keyword, ...values] = line.trim().split(/\s+/);
    if (keyword === 'v') positions.push(Number(values[0]), Number(values[1]), Number(values[2]));
    if (keyword === 'f') {
      const count = positions.length / 3;
      addPolygon(
        indices,
        values.map((value) => {
          const vertex = Number.parseInt(value, 10);
          return vertex < 0 ? count + vertex : vertex - 1;
        }),
      );
    }
  }
  return checkTriangles(positions, indices);
}

// A backslash continues a line.
function* linesOf(text: string): Generator<string> {
  let continued = '';
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\n', at);
    const line = text.slice(at, end < 0 ? text.length : end).replace(/\r$/, '');
    at = end < 0 ? text.length : end + 1;
    if (line.endsWith('\\')) continued += line.slice(0, -1);
    else {
      yield continued + line;
      continued = '';
    }
  }
}
