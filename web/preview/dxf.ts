// Reads DXF drawings as lines and texts.
import DxfParser, { type IEntity, type IPoint } from 'dxf-parser';
import { Vector4 } from 'three';
import { NURBSCurve } from 'three/examples/jsm/curves/NURBSCurve.js';

/** Coordinates x, y in the unit of the drawing; y points up. */
type Point = readonly [number, number];
/** A 2D affine transformation: x' = a x + c y + e, y' = b x + d y + f. */
type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

/** A line along the points. `color`: #rrggbb, or null for the color of text. */
export type DrawnLine = { points: Point[]; color: string | null };
export type DrawnText = { at: Point; text: string; height: number; degrees: number; color: string | null };
/** What a drawing shows. `skipped`: the number of entities by type that are not drawn. */
export type Drawing = {
  lines: DrawnLine[];
  texts: DrawnText[];
  /** The smallest box around the lines and texts: left, bottom, width, height. Null if there are none. */
  box: [number, number, number, number] | null;
  skipped: Record<string, number>;
};

const MAX_POINTS = 2_000_000;
const MAX_BLOCK_DEPTH = 8;
const STEPS_OF_CIRCLE = 72;
const STEPS_OF_SPLINE_SPAN = 12;
const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];
/** The types of entities that are drawn or have nothing to draw; the parser leaves out others. */
const DRAWN = new Set(
  'LINE LWPOLYLINE POLYLINE VERTEX SEQEND SOLID 3DFACE CIRCLE ARC ELLIPSE SPLINE TEXT MTEXT INSERT ATTRIB ATTDEF DIMENSION VIEWPORT POINT ENDSEC'.split(
    ' ',
  ),
);

/**
 * Reads a DXF drawing (ASCII). Curves become short lines. Throws an error with a message for the user if the file is
 * damaged, or has more than two million points and entities.
 */
export function readDxf(content: string): Drawing {
  const file = parse(content);
  const drawing: Drawing = { lines: [], texts: [], box: null, skipped: countSkipped(content) };
  const isHidden = (layer: string): boolean => {
    const { visible = true, frozen = false } = file.tables?.layer?.layers?.[layer] ?? {};
    return !visible || frozen;
  };
  let size = 0;
  const count = (points: number): void => {
    size += points;
    if (size > MAX_POINTS) throw new Error('The drawing is too large to be displayed. Download it instead.');
  };

  const colorOf = ({ color, colorIndex, layer }: IEntity): string | null => {
    // 256: the color of the layer; 7: black or white
    const own = colorIndex === undefined || colorIndex === 256 ? file.tables?.layer?.layers?.[layer]?.color : color;
    return own === undefined || own === 0xffffff || own === 0 ? null : `#${own.toString(16).padStart(6, '0')}`;
  };
  const addLine = (entity: IEntity, matrix: Matrix, line: Point[]): void => {
    count(line.length);
    if (line.flat().every(Number.isFinite) && line.length > 1)
      drawing.lines.push({ points: line.map((point) => apply(matrix, point)), color: colorOf(entity) });
  };
  const add = (entities: readonly IEntity[], matrix: Matrix, depth: number): void => {
    for (const entity of entities) {
      count(1); // blocks without lines may be nested, too
      if (entity.visible === false || isHidden(entity.layer)) continue;
      const drawn = linesOf(entity);
      const text = textOf(entity);
      const block = blockOf(entity);
      const inserted = block && file.blocks?.[block.name];
      if (drawn) for (const line of drawn) addLine(entity, matrix, line);
      else if (text) drawing.texts.push({ ...placed(text, matrix), color: colorOf(entity) });
      else if (block && inserted && depth < MAX_BLOCK_DEPTH) {
        const { x = 0, y = 0 } = inserted.position ?? {};
        for (const place of block.places)
          add(inserted.entities ?? [], multiply(matrix, multiply(place, [1, 0, 0, 1, -x, -y])), depth + 1);
      }
    }
  };
  add(file.entities, IDENTITY, 0);
  drawing.box = boxOf(drawing);
  return drawing;
}

function parse(content: string) {
  if (content.startsWith('AutoCAD Binary DXF'))
    throw new Error('Binary DXF files cannot be displayed. Download the file, or save it as ASCII DXF.');
  try {
    const file = new DxfParser().parseSync(content);
    if (file) return file;
  } catch {
    // The errors of the parser name its functions.
  }
  throw new Error('The file is damaged, or no DXF drawing.');
}

function countSkipped(content: string): Record<string, number> {
  const entities = content.slice(content.search(/^\s*ENTITIES\s*$/m));
  const types = [...entities.matchAll(/^\s*0\r?\n\s*([A-Z]\w*|3D\w+)\s*$/gm)].map(([, type = '']) => type);
  const end = types.indexOf('ENDSEC');
  const skipped = types.slice(0, end).filter((type) => !DRAWN.has(type));
  return Object.fromEntries([...Map.groupBy(skipped, (type) => type)].map(([type, all]) => [type, all.length]));
}

/** Returns the lines of an entity in its own coordinates; null if it has none. */
function linesOf(entity: IEntity): Point[][] | null {
  // biome-ignore lint/suspicious/noExplicitAny: each type of entity has other fields
  const { type, ...of } = entity as any;
  switch (type) {
    case 'LINE':
      return [of.vertices.map(flat)];
    case 'LWPOLYLINE':
    case 'POLYLINE':
      return [polyline(of.vertices, of.shape)];
    case 'SOLID':
      return [closed([of.points[0], of.points[1], of.points[3] ?? of.points[2], of.points[2]].map(flat))];
    case '3DFACE':
      return [closed(of.vertices.map(flat))];
    case 'CIRCLE':
      return [arc(of.center, of.radius, 0, 2 * Math.PI)];
    case 'ARC':
      return [arc(of.center, of.radius, of.startAngle, of.endAngle)];
    case 'ELLIPSE':
      return [ellipse(of)];
    case 'SPLINE':
      return [spline(of)];
    default:
      return null;
  }
}

const flat = ({ x, y }: IPoint): Point => [x, y];
const closed = (points: Point[]): Point[] => [...points, ...points.slice(0, 1)];

/** Returns the points of a circular arc, counterclockwise. Angles in radians. */
function arc({ x, y }: IPoint, radius: number, start: number, end: number): Point[] {
  const sweep = end > start ? end - start : end - start + 2 * Math.PI;
  return steps(sweep, (angle) => [x + radius * Math.cos(start + angle), y + radius * Math.sin(start + angle)]);
}

function ellipse(of: {
  center: IPoint;
  majorAxisEndPoint: IPoint;
  axisRatio: number;
  startAngle: number;
  endAngle: number;
}): Point[] {
  const { center, majorAxisEndPoint: major, axisRatio, startAngle: start, endAngle: end } = of;
  const sweep = end > start ? end - start : end - start + 2 * Math.PI;
  return steps(sweep, (angle) => {
    const [along, across] = [Math.cos(start + angle), axisRatio * Math.sin(start + angle)];
    return [center.x + along * major.x - across * major.y, center.y + along * major.y + across * major.x];
  });
}

function steps(sweep: number, at: (angle: number) => Point): Point[] {
  const count = Math.max(2, Math.ceil((Math.abs(sweep) / (2 * Math.PI)) * STEPS_OF_CIRCLE));
  return Array.from({ length: count + 1 }, (_, n) => at((sweep * n) / count));
}

/** The bulge of a vertex is the tangent of a quarter of the angle of the arc to the next one; positive is left. */
function polyline(vertices: readonly (IPoint & { bulge?: number })[], isClosed: boolean): Point[] {
  const points: Point[] = [];
  const ends = isClosed ? [...vertices, ...vertices.slice(0, 1)] : vertices;
  for (const [n, from] of ends.entries()) {
    const to = ends[n + 1];
    points.push(flat(from));
    if (to && from.bulge) points.push(...bulge(flat(from), flat(to), from.bulge).slice(1, -1));
  }
  return points;
}

function bulge([x0, y0]: Point, [x1, y1]: Point, factor: number): Point[] {
  const offset = (1 - factor ** 2) / (4 * factor); // of the center from the middle, in chords
  const [cx, cy] = [(x0 + x1) / 2 - offset * (y1 - y0), (y0 + y1) / 2 + offset * (x1 - x0)];
  const start = Math.atan2(y0 - cy, x0 - cx);
  const radius = Math.hypot(x0 - cx, y0 - cy);
  return steps(4 * Math.atan(factor), (angle) => [
    cx + radius * Math.cos(start + angle),
    cy + radius * Math.sin(start + angle),
  ]);
}

function spline(of: {
  controlPoints?: IPoint[];
  fitPoints?: IPoint[];
  knotValues?: number[];
  degreeOfSplineCurve: number;
}): Point[] {
  const { controlPoints = [], fitPoints = [], knotValues = [], degreeOfSplineCurve: degree } = of;
  if (knotValues.length !== controlPoints.length + degree + 1)
    return (fitPoints.length ? fitPoints : controlPoints).map(flat);
  const poles = controlPoints.map(({ x, y }) => new Vector4(x, y, 0, 1));
  const curve = new NURBSCurve(degree, knotValues, poles, degree, knotValues.length - degree - 1);
  return curve.getPoints(Math.max(1, controlPoints.length - degree) * STEPS_OF_SPLINE_SPAN).map(flat);
}

function textOf(entity: IEntity): Omit<DrawnText, 'color'> | null {
  // biome-ignore lint/suspicious/noExplicitAny: each type of entity has other fields
  const { type, text, startPoint, position, textHeight, height, rotation = 0, directionVector } = entity as any;
  if (typeof text !== 'string') return null;
  if (type === 'TEXT' && startPoint) return { at: flat(startPoint), text, height: textHeight ?? 1, degrees: rotation };
  if (type !== 'MTEXT' || !position) return null;
  const degrees = directionVector ? (Math.atan2(directionVector.y, directionVector.x) * 180) / Math.PI : rotation;
  return { at: flat(position), text: withoutFormat(text), height: height ?? 1, degrees };
}

/** Removes the format codes of an MTEXT, for example `\A1;` and braces. Paragraphs become spaces. */
const withoutFormat = (text: string): string =>
  text
    .replace(/\\P/g, ' ')
    .replace(/\\[ACFHQTWacfhqtwp][^;\\]*;/g, '')
    .replace(/\\[LlOoKk]/g, '')
    .replace(/[{}]/g, '');

/** The block of an INSERT, with its places, or that of a DIMENSION. */
function blockOf(entity: IEntity): { name: string; places: Matrix[] } | null {
  // biome-ignore lint/suspicious/noExplicitAny: each type of entity has other fields
  const { type, name, block, position, xScale = 1, yScale = 1, rotation = 0, ...array } = entity as any;
  if (type === 'DIMENSION' && block) return { name: block, places: [IDENTITY] };
  if (type !== 'INSERT' || !name || !position) return null;
  const { columnCount = 1, rowCount = 1, columnSpacing = 0, rowSpacing = 0 } = array;
  const angle = (rotation * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const turned: Matrix = [cos, sin, -sin, cos, position.x, position.y];
  const places: Matrix[] = [];
  for (let row = 0; row < Math.min(Math.max(1, rowCount), 1_000); row++)
    for (let column = 0; column < Math.min(Math.max(1, columnCount), 1_000); column++)
      places.push(multiply(turned, [xScale, 0, 0, yScale, column * columnSpacing, row * rowSpacing]));
  return { name, places };
}

function placed(text: Omit<DrawnText, 'color'>, matrix: Matrix): Omit<DrawnText, 'color'> {
  const [a, b] = matrix;
  const scale = Math.hypot(a, b);
  const degrees = text.degrees + (Math.atan2(b, a) * 180) / Math.PI;
  return { ...text, at: apply(matrix, text.at), height: text.height * scale, degrees };
}

const apply = ([a, b, c, d, e, f]: Matrix, [x, y]: Point): Point => [a * x + c * y + e, b * x + d * y + f];

function multiply([a, b, c, d, e, f]: Matrix, [g, h, i, j, k, l]: Matrix): Matrix {
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}

function boxOf({ lines, texts }: Drawing): Drawing['box'] {
  let [left, bottom, right, top] = [Infinity, Infinity, -Infinity, -Infinity];
  const include = ([x, y]: Point) => {
    left = Math.min(left, x);
    right = Math.max(right, x);
    bottom = Math.min(bottom, y);
    top = Math.max(top, y);
  };
  for (const { points } of lines) points.forEach(include);
  for (const { at, height, text } of texts) {
    include(at);
    include([at[0] + 0.6 * height * text.length, at[1] + height]);
  }
  return Number.isFinite(left) ? [left, bottom, right - left, top - bottom] : null;
}
