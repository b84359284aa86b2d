import { Binary, BSONRegExp, BSONSymbol, Code, Decimal128, Double, Int32, Long, MaxKey, MinKey, ObjectId, Timestamp } from 'bson';
import { storeError } from './errors.ts';

type Fields = { [key: string]: unknown };

/**
 * Decodes one BSON document, keeping every type: an Int32 stays an Int32, and `{$ref, $id}` stays a document (the `bson` package would make a DBRef of it).
 * Binary values share the memory of `bytes`. Malformed input is refused with InvalidBSON (22).
 */
export function decode(bytes: Uint8Array): Fields {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.length < 5 || buffer.readInt32LE(0) !== buffer.length) throw malformed('length');
  try {
    return readDocument({ buffer, at: 0, depth: 0 });
  } catch (error) {
    if (error instanceof RangeError) throw malformed('truncated');
    throw error;
  }
}

type Cursor = { buffer: Buffer; at: number; depth: number };

function readDocument(cursor: Cursor): Fields {
  const end = enter(cursor);
  const fields: Fields = {};
  for (;;) {
    const type = cursor.buffer[cursor.at++];
    if (type === 0) break;
    const name = readCString(cursor);
    const value = readValue(cursor, type);
    if (name === '__proto__') Object.defineProperty(fields, name, { value, enumerable: true, writable: true, configurable: true });
    else fields[name] = value;
  }
  leave(cursor, end);
  return fields;
}

function readArray(cursor: Cursor): unknown[] {
  const end = enter(cursor);
  const items: unknown[] = [];
  for (;;) {
    const type = cursor.buffer[cursor.at++];
    if (type === 0) break;
    skipCString(cursor);
    items.push(readValue(cursor, type));
  }
  leave(cursor, end);
  return items;
}

function enter(cursor: Cursor): number {
  if (++cursor.depth > 200) throw storeError(22, 'BSON is nested too deeply');
  const end = cursor.at + cursor.buffer.readInt32LE(cursor.at);
  if (end > cursor.buffer.length || end < cursor.at + 5) throw malformed('embedded length');
  cursor.at += 4;
  return end;
}

function leave(cursor: Cursor, end: number): void {
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
      return new ObjectId(copy(buffer, at, inside(cursor)));
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
      // The old subtype 2 repeats its length inside.
      return new Binary(buffer.subarray(subtype === 2 ? at + 9 : at + 5, inside(cursor)), subtype);
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
      return new Decimal128(copy(buffer, at, inside(cursor)));
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
  const end = inside(cursor) - 1;
  if (length < 1 || cursor.buffer[end] !== 0) throw malformed('string');
  return readText(cursor.buffer, start, end);
}

// The same few names come again and again: a table by hash gives the string that is already there instead of building it anew.
function readCString(cursor: Cursor): string {
  const { buffer, at } = cursor;
  let hash = 0;
  let end = at;
  for (let byte = buffer[end]; byte !== 0; byte = buffer[++end]) {
    if (byte === undefined || byte > 127) return readLongCString(cursor);
    hash = (hash * 31 + byte) | 0;
  }
  cursor.at = end + 1;
  const slot = hash & (KNOWN_NAMES - 1);
  const known = names[slot]!;
  if (isTextAt(known, buffer, at, end)) return known;
  const name = buffer.toString('latin1', at, end);
  if (name.length < 40) names[slot] = name;
  return name;
}

const KNOWN_NAMES = 1024;
const names: string[] = new Array(KNOWN_NAMES).fill('');

function isTextAt(text: string, buffer: Buffer, start: number, end: number): boolean {
  if (text.length !== end - start) return false;
  for (let at = start; at < end; at++) if (text.charCodeAt(at - start) !== buffer[at]) return false;
  return true;
}

function readLongCString(cursor: Cursor): string {
  const start = cursor.at;
  skipCString(cursor);
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
  let text = '';
  for (let at = start; at < end; at++) {
    const byte = buffer[at]!;
    if (byte > 127) return buffer.toString('utf8', start, end);
    text += String.fromCharCode(byte);
  }
  return text;
}

function copy(buffer: Buffer, start: number, end: number): Uint8Array {
  const bytes = new Uint8Array(end - start);
  for (let at = start; at < end; at++) bytes[at - start] = buffer[at]!;
  return bytes;
}

function inside(cursor: Cursor): number {
  if (cursor.at > cursor.buffer.length || cursor.at < 0) throw malformed('length');
  return cursor.at;
}

const malformed = (what: string) => storeError(22, `Invalid BSON: ${what}`);
