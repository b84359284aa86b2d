// Decodes BSON.

import {
  Binary,
  BSONRegExp,
  BSONSymbol,
  Code,
  Decimal128,
  Double,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
} from 'bson';
import { storeError } from '../protocol/errors.ts';
import { LIMITS } from '../protocol/limits.ts';

type Fields = { [key: string]: unknown };

/**
 * Decodes a BSON document and preserves all types: an Int32 remains an Int32, and `{$ref, $id}` a document (the `bson`
 * package creates a DBRef). Binary values share the memory of `bytes`. Throws InvalidBSON (22) if the input is
 * malformed.
 */
export function decode(bytes: Uint8Array): Fields {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.length < 5 || buffer.readInt32LE(0) !== buffer.length) throw malformed('length');
  if (values.length > MAX_STACK) values = [];
  top = 0;
  try {
    return readDocument({ buffer, at: 0, depth: 0 });
  } catch (error) {
    if (error instanceof RangeError) throw malformed('truncated');
    throw error;
  }
}

type Cursor = { buffer: Buffer; at: number; depth: number };

// A stack of decoded fields: the fields of a document are above those of the document that contains it.
const names: string[] = [];
let values: unknown[] = [];
let top = 0;
const MAX_STACK = 10_000;

function readDocument(cursor: Cursor): Fields {
  const end = enterDocument(cursor);
  const start = top;
  let shape = 0;
  for (;;) {
    const type = cursor.buffer[cursor.at++];
    if (type === 0) break;
    const at = top++;
    names[at] = readCString(cursor);
    shape = (shape * 31 + lastHash) | 0;
    values[at] = readValue(cursor, type);
  }
  leaveDocument(cursor, end);
  const fields = top - start > MAX_PLAIN_FIELDS ? objectWithShape(start, shape) : {};
  for (let at = start; at < top; at++) {
    const name = names[at]!;
    if (name === '__proto__')
      Object.defineProperty(fields, name, { value: values[at], enumerable: true, writable: true, configurable: true });
    else fields[name] = values[at];
  }
  top = start;
  return fields;
}

// V8 gives an object slow dictionary properties if many fields are added one by one; copying it then takes seventy
// times as long. An object that JSON.parse creates with all fields stays fast, and so do its copies. When the same field
// names occur a second time, such an object is cached. Returns a copy of it, in which every field is null; otherwise an
// empty object.
function objectWithShape(start: number, shape: number): Fields {
  const slot = shape & (CACHE_SLOTS - 1);
  if (shapes[slot] !== shape) {
    shapes[slot] = shape;
    templates[slot] = undefined;
    return {};
  }
  templates[slot] ??= createTemplate(names.slice(start, top));
  const template = templates[slot];
  if (template.names.length !== top - start) return {};
  for (let at = start; at < top; at++) if (names[at] !== template.names[at - start]) return {};
  return { ...template.fields };
}

type ShapeTemplate = { names: string[]; fields: Fields };
const createTemplate = (fieldNames: string[]): ShapeTemplate => ({
  names: fieldNames,
  fields: JSON.parse(`{${fieldNames.map((name) => `${JSON.stringify(name)}:null`).join()}}`),
});

const MAX_PLAIN_FIELDS = 10;
const CACHE_SLOTS = 1024;
const shapes: number[] = new Array(CACHE_SLOTS).fill(0);
const templates: (ShapeTemplate | undefined)[] = new Array(CACHE_SLOTS).fill(undefined);

function readArray(cursor: Cursor): unknown[] {
  const end = enterDocument(cursor);
  const items: unknown[] = [];
  for (;;) {
    const type = cursor.buffer[cursor.at++];
    if (type === 0) break;
    skipCString(cursor);
    items.push(readValue(cursor, type));
  }
  leaveDocument(cursor, end);
  return items;
}

function enterDocument(cursor: Cursor): number {
  if (++cursor.depth > LIMITS.nestingLevels) throw storeError(22, 'BSON is nested too deeply');
  const end = cursor.at + cursor.buffer.readInt32LE(cursor.at);
  if (end > cursor.buffer.length || end < cursor.at + 5) throw malformed('embedded length');
  cursor.at += 4;
  return end;
}

function leaveDocument(cursor: Cursor, end: number): void {
  cursor.depth--;
  if (cursor.at !== end) throw malformed('embedded length');
}

function readValue(cursor: Cursor, type: number | undefined): unknown {
  const { buffer, at } = cursor;
  switch (type) {
    case 0x02:
      return readString(cursor);
    case 0x10:
      cursor.at += 4;
      return new Int32(buffer.readInt32LE(at));
    case 0x07:
      cursor.at += 12;
      return new ObjectId(copy(buffer, at, checkedPosition(cursor)));
    case 0x09:
      cursor.at += 8;
      return new Date(buffer.readInt32LE(at + 4) * 2 ** 32 + buffer.readUInt32LE(at));
    case 0x03:
      return readDocument(cursor);
    case 0x04:
      return readArray(cursor);
    case 0x08:
      cursor.at += 1;
      return buffer.readUInt8(at) === 1;
    case 0x0a:
      return null;
    case 0x01:
      cursor.at += 8;
      return new Double(buffer.readDoubleLE(at));
    case 0x12:
      cursor.at += 8;
      return new Long(buffer.readInt32LE(at), buffer.readInt32LE(at + 4));
    default:
      return readRareValue(cursor, type);
  }
}

function readRareValue(cursor: Cursor, type: number | undefined): unknown {
  const { buffer, at } = cursor;
  switch (type) {
    case 0x05: {
      const subtype = buffer.readUInt8(at + 4);
      cursor.at += 5 + buffer.readInt32LE(at);
      // In the deprecated subtype 2, the data begins with its length again.
      return new Binary(buffer.subarray(subtype === 2 ? at + 9 : at + 5, checkedPosition(cursor)), subtype);
    }
    case 0x06:
      return undefined;
    case 0x0b:
      return new BSONRegExp(readCString(cursor), readCString(cursor));
    case 0x0d:
      return new Code(readString(cursor));
    case 0x0e:
      return new BSONSymbol(readString(cursor));
    case 0x0f:
      cursor.at += 4;
      return new Code(readString(cursor), readDocument(cursor));
    case 0x11:
      cursor.at += 8;
      return new Timestamp({ i: buffer.readUInt32LE(at), t: buffer.readUInt32LE(at + 4) });
    case 0x13:
      cursor.at += 16;
      return new Decimal128(copy(buffer, at, checkedPosition(cursor)));
    case 0xff:
      return new MinKey();
    case 0x7f:
      return new MaxKey();
    default:
      throw malformed(`type ${type}`);
  }
}

function readString(cursor: Cursor): string {
  const start = cursor.at + 4;
  const length = cursor.buffer.readInt32LE(cursor.at);
  cursor.at = start + length;
  const end = checkedPosition(cursor) - 1;
  if (length < 1 || cursor.buffer[end] !== 0) throw malformed('string');
  return readText(cursor.buffer, start, end);
}

function readCString(cursor: Cursor): string {
  const { buffer, at } = cursor;
  let hash = 0;
  let end = at;
  for (let byte = buffer[end]; byte !== 0; byte = buffer[++end]) {
    if (byte === undefined || byte > 127) return readNonAsciiCString(cursor);
    hash = (hash * 31 + byte) | 0;
  }
  cursor.at = end + 1;
  lastHash = hash;
  return cachedText(cachedNames, hash, buffer, at, end);
}

// Names and short values repeat often. A table by hash returns the existing string instead of creating a new one.
function cachedText(table: string[], hash: number, buffer: Buffer, start: number, end: number): string {
  const slot = hash & (CACHE_SLOTS - 1);
  const cached = table[slot]!;
  if (isTextAt(cached, buffer, start, end)) return cached;
  const text = buffer.toString('latin1', start, end);
  if (text.length < 40) table[slot] = text;
  return text;
}

const cachedNames: string[] = new Array(CACHE_SLOTS).fill('');
const cachedValues: string[] = new Array(CACHE_SLOTS).fill('');
/** A second result of readCString: the hash of the name that it read last. */
let lastHash = 0;

function isTextAt(text: string, buffer: Buffer, start: number, end: number): boolean {
  if (text.length !== end - start) return false;
  for (let at = start; at < end; at++) if (text.charCodeAt(at - start) !== buffer[at]) return false;
  return true;
}

function readNonAsciiCString(cursor: Cursor): string {
  const start = cursor.at;
  skipCString(cursor);
  lastHash = cursor.at - start;
  return cursor.buffer.toString('utf8', start, cursor.at - 1);
}

function skipCString(cursor: Cursor): void {
  const { buffer } = cursor;
  let end = cursor.at;
  while (buffer[end] !== 0) if (++end >= buffer.length) throw malformed('name');
  cursor.at = end + 1;
}

function readText(buffer: Buffer, start: number, end: number): string {
  if (end - start > 24) return buffer.toString('utf8', start, end);
  let hash = 0;
  for (let at = start; at < end; at++) {
    const byte = buffer[at]!;
    if (byte > 127) return buffer.toString('utf8', start, end);
    hash = (hash * 31 + byte) | 0;
  }
  return cachedText(cachedValues, hash, buffer, start, end);
}

function copy(buffer: Buffer, start: number, end: number): Uint8Array {
  const bytes = new Uint8Array(end - start);
  for (let at = start; at < end; at++) bytes[at - start] = buffer[at]!;
  return bytes;
}

function checkedPosition(cursor: Cursor): number {
  if (cursor.at > cursor.buffer.length || cursor.at < 0) throw malformed('length');
  return cursor.at;
}

const malformed = (part: string) => storeError(22, `Invalid BSON: ${part}`);
