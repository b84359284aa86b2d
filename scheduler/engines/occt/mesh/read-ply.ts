import { fail } from '../job-failure.ts';
import { addPolygon, checkTriangles, type Triangles } from './triangles.ts';

const MAX_HEADER = 65_536;

type Scalar = keyof typeof SIZES;
type Property = { name: string; type: Scalar; count: Scalar | null };
type Element = { name: string; count: number; properties: Property[] };
/** Returns the next number of the data, which has this type in a binary file. */
type Read = (type: Scalar) => number;

/** Reads a PLY file: ASCII or binary, with polygons of any size. */
export function readPly(bytes: Buffer): Triangles {
  const { format, elements, length } = readHeader(bytes.toString('latin1', 0, MAX_HEADER));
  const read = format === 'ascii' ? textReader(bytes, length) : binaryReader(bytes, length, format);
  const positions: number[] = [];
  const indices: number[] = [];
  for (const { name, count, properties } of elements) {
    // Elements without properties have no data, so that their number is not limited by the size of the file.
    if (!properties.length) continue;
    for (let i = 0; i < count; i++) {
      const point: Record<string, number> = {};
      for (const property of properties) {
        const values = property.count === null ? null : Math.max(0, read(property.count));
        if (values === null) point[property.name] = read(property.type);
        else {
          const list: number[] = [];
          for (let k = 0; k < values; k++) list.push(read(property.type));
          if (name === 'face' && /^vertex_ind(ex|ices)$/.test(property.name)) addPolygon(indices, list);
        }
      }
      if (name === 'vertex') positions.push(point.x ?? Number.NaN, point.y ?? Number.NaN, point.z ?? Number.NaN);
    }
  }
  return checkTriangles(positions, indices);
}

function readHeader(text: string): { format: string; elements: Element[]; length: number } {
  const end = /\bend_header\r?\n/.exec(text);
  if (!end) fail('syntax', 'the header of the PLY file has no end');
  const elements: Element[] = [];
  let format = '';
  for (const line of text.slice(0, end.index).split(/\r?\n/)) {
    const [keyword, ...words] = line.trim().split(/\s+/);
    if (keyword === 'format') format = words[0] ?? '';
    if (keyword === 'element') elements.push({ name: words[0] ?? '', count: countOf(words[1]), properties: [] });
    if (keyword !== 'property') continue;
    const [count, type] = words[0] === 'list' ? [scalarOf(words[1]), scalarOf(words[2])] : [null, scalarOf(words[0])];
    elements.at(-1)?.properties.push({ name: words.at(-1) ?? '', type, count });
  }
  if (!/^(ascii|binary_(little|big)_endian)$/.test(format)) fail('syntax', 'the PLY file has an unknown format');
  return { format, elements, length: end.index + end[0].length };
}

function countOf(word = ''): number {
  return /^\d{1,10}$/.test(word) ? Number(word) : fail('syntax', 'an element of the PLY file has no valid number');
}

const SIZES = { Int8: 1, UInt8: 1, Int16: 2, UInt16: 2, Int32: 4, UInt32: 4, Float: 4, Double: 8 };
const SCALARS: Record<string, Scalar> = {
  ...{ char: 'Int8', uchar: 'UInt8', short: 'Int16', ushort: 'UInt16', int: 'Int32', uint: 'UInt32' },
  ...{ int8: 'Int8', uint8: 'UInt8', int16: 'Int16', uint16: 'UInt16', int32: 'Int32', uint32: 'UInt32' },
  ...{ float: 'Float', float32: 'Float', double: 'Double', float64: 'Double' },
};

function scalarOf(word = ''): Scalar {
  return (
    (Object.hasOwn(SCALARS, word) && SCALARS[word]) || fail('syntax', 'a property of the PLY file has no valid type')
  );
}

function binaryReader(bytes: Buffer, start: number, format: string): Read {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const isLittle = format === 'binary_little_endian';
  let at = start;
  const readers: Record<Scalar, (at: number) => number> = {
    Int8: (from) => view.getInt8(from),
    UInt8: (from) => view.getUint8(from),
    Int16: (from) => view.getInt16(from, isLittle),
    UInt16: (from) => view.getUint16(from, isLittle),
    Int32: (from) => view.getInt32(from, isLittle),
    UInt32: (from) => view.getUint32(from, isLittle),
    Float: (from) => view.getFloat32(from, isLittle),
    Double: (from) => view.getFloat64(from, isLittle),
  };
  return (type) => {
    if (at + SIZES[type] > bytes.length) failTruncated();
    const value = readers[type](at);
    at += SIZES[type];
    return value;
  };
}

function textReader(bytes: Buffer, start: number): Read {
  const words = bytes.toString('latin1', start).matchAll(/\S+/g);
  return () => Number(words.next().value?.[0] ?? failTruncated());
}

const failTruncated = (): never => fail('truncated', 'the PLY file has fewer elements than its header states');
