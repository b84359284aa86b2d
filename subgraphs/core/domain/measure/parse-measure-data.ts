import type { MeasureData } from './measure-data.ts';

/** An invalid value; `path` is its JSON pointer. */
export class MeasureDataError extends Error {
  readonly path: string;

  constructor(path: string, message: string) {
    super(message);
    this.path = path;
  }
}

/** Checks the parsed artifact `measure`. Throws MeasureDataError at the first invalid value. */
export function parseMeasureData(json: unknown): MeasureData {
  const data = objectAt(json, '');
  if (data.units !== 'mm') fail('/units', 'must be "mm"');
  numberAt(data.chordError, '/chordError');
  const parts = listAt(data.parts, '/parts');
  for (const [i, entry] of parts.entries()) {
    const part = objectAt(entry, `/parts/${i}`);
    if (typeof part.name !== 'string') fail(`/parts/${i}/name`, 'must be a string');
    const faces = listAt(part.faces, `/parts/${i}/faces`);
    for (const [at, face] of faces.entries())
      assertShape(face, `/parts/${i}/faces/${at}`, FACES, ['area', 'areaError']);
    for (const [at, edge] of listAt(part.edges, `/parts/${i}/edges`).entries())
      assertShape(edge, `/parts/${i}/edges/${at}`, EDGES, ['length', 'lengthError']);
  }
  for (const [i, entry] of listAt(data.placements, '/placements').entries()) {
    const { part, matrix } = objectAt(entry, `/placements/${i}`);
    if (!Number.isInteger(part) || !parts[Number(part)])
      fail(`/placements/${i}/part`, 'must be the position of a part');
    numbersAt(matrix, 12, `/placements/${i}/matrix`);
  }
  return data as MeasureData;
}

type Fields = { vectors: readonly string[]; numbers: readonly string[] };
const AXIS = ['at', 'direction'];
const FACES: Record<string, Fields> = {
  plane: { vectors: AXIS, numbers: [] },
  cylinder: { vectors: AXIS, numbers: ['radius'] },
  cone: { vectors: AXIS, numbers: ['radius', 'angle'] },
  sphere: { vectors: ['at'], numbers: ['radius'] },
  torus: { vectors: AXIS, numbers: ['radius', 'minorRadius'] },
  freeform: { vectors: [], numbers: [] },
};
const ENDS = ['from', 'to'];
const EDGES: Record<string, Fields> = {
  line: { vectors: ENDS, numbers: [] },
  circle: { vectors: [...ENDS, ...AXIS], numbers: ['radius', 'sweep'] },
  ellipse: { vectors: [...ENDS, ...AXIS], numbers: ['radius', 'minorRadius'] },
  freeform: { vectors: ENDS, numbers: [] },
};
const ACCURACIES = ['exact', 'fitted', 'mesh'];

function assertShape(value: unknown, path: string, kinds: Record<string, Fields>, sizes: readonly string[]): void {
  const shape = objectAt(value, path);
  const fields = typeof shape.kind === 'string' && Object.hasOwn(kinds, shape.kind) ? kinds[shape.kind] : undefined;
  if (!fields) throw new MeasureDataError(`${path}/kind`, `must be one of ${Object.keys(kinds).join(', ')}`);
  if (!ACCURACIES.includes(String(shape.accuracy))) fail(`${path}/accuracy`, `must be one of ${ACCURACIES.join(', ')}`);
  if (shape.residual !== undefined) numberAt(shape.residual, `${path}/residual`);
  for (const name of fields.vectors) numbersAt(shape[name], 3, `${path}/${name}`);
  for (const name of [...fields.numbers, ...sizes]) numberAt(shape[name], `${path}/${name}`);
}

function objectAt(value: unknown, path: string): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : fail(path, 'must be an object');
}

function listAt(value: unknown, path: string): unknown[] {
  return Array.isArray(value) ? value : fail(path, 'must be an array');
}

function numberAt(value: unknown, path: string): void {
  if (!Number.isFinite(value)) fail(path, 'must be a number');
}

function numbersAt(value: unknown, count: number, path: string): void {
  if (!Array.isArray(value) || value.length !== count || !value.every(Number.isFinite))
    fail(path, `must have ${count} numbers`);
}

function fail(path: string, message: string): never {
  throw new MeasureDataError(path, message);
}
