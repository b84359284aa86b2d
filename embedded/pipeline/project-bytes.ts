// Projections on encoded documents.

import { type Doc, isDocument, isNumber, isTruthy, type Value } from '../values/bson.ts';

/** Copies the included fields of an encoded document. Returns undefined if the document must be decoded. */
export type BytesProjection = (bytes: Buffer) => Buffer | undefined;

/**
 * Compiles a projection of a find that only includes fields. Copying bytes is many times faster than decoding,
 * selecting and encoding. Returns undefined for any other projection. The caller must have validated the specification
 * with `compileProjection`.
 */
export function compileBytesProjection(spec: Doc): BytesProjection | undefined {
  const { _id: id, ...named } = spec;
  const paths = includedPaths(named, []);
  if (!paths?.length || (id !== undefined && !isFlag(id))) return undefined;
  const tree = treeOf(id === undefined || isTruthy(id) ? [['_id'], ...paths] : paths);
  // Results share buffers that grow with the amount of data.
  let buffer = Buffer.alloc(0);
  let used = 0;
  return (bytes) => {
    if (buffer.length - used < bytes.length) {
      buffer = Buffer.allocUnsafe(Math.max(bytes.length, Math.min(2 * buffer.length, MAX_BUFFER_BYTES)));
      used = 0;
    }
    const end = copyIncluded(bytes, 0, buffer, used, tree);
    if (end === undefined) return undefined;
    const projected = buffer.subarray(used, end);
    used = end;
    return projected;
  };
}

const MAX_BUFFER_BYTES = 64 * 1024;

type Tree = { name: Buffer; inner: Tree | null }[];

// All included paths; undefined if the specification contains anything else.
function includedPaths(spec: Doc, prefix: readonly string[]): string[][] | undefined {
  const paths: string[][] = [];
  for (const [key, value] of Object.entries(spec)) {
    const path = [...prefix, ...key.split('.')];
    if (path.some((name) => name === '' || name.startsWith('$'))) return undefined;
    const included = includedAt(path, value);
    if (!included?.length) return undefined;
    paths.push(...included);
  }
  return paths;
}

function includedAt(path: string[], value: Value): string[][] | undefined {
  if (isFlag(value)) return isTruthy(value) ? [path] : undefined;
  return isDocument(value) ? includedPaths(value, path) : undefined;
}

const isFlag = (value: Value): boolean => typeof value === 'boolean' || isNumber(value);

function treeOf(paths: readonly (readonly string[])[]): Tree {
  const groups = Map.groupBy(paths, ([name]) => name ?? '');
  return [...groups].map(([name, group]) => {
    const rest = group.map((path) => path.slice(1));
    return { name: Buffer.from(name), inner: rest.some(({ length }) => length === 0) ? null : treeOf(rest) };
  });
}

// Copies the included fields of the document at `from`. Returns the end of the copy; undefined if the document must be
// decoded.
function copyIncluded(bytes: Buffer, from: number, out: Buffer, to: number, tree: Tree): number | undefined {
  const end = from + bytes.readInt32LE(from) - 1;
  let remaining = tree.length;
  let written = to + 4;
  let run = from + 4; // adjacent included fields are copied together
  let at = run;
  const flush = (until: number): void => {
    if (until > run) written += bytes.copy(out, written, run, until);
  };
  while (at < end && remaining > 0) {
    const type = bytes[at]!;
    const nameStart = at + 1;
    let value = nameStart;
    while (bytes[value] !== 0) value++;
    const field = findField(tree, bytes, nameStart, value++);
    const next = value + sizeOf(type, bytes, value);
    // not `next > end`, because `next` may be NaN
    if (!(next <= end)) return undefined;
    if (field) remaining--;
    if (!field || field.inner) {
      flush(at);
      run = next;
    }
    if (field?.inner && type === ARRAY) return undefined;
    if (field?.inner && type === DOCUMENT) {
      written += bytes.copy(out, written, at, value);
      const inner = copyIncluded(bytes, value, out, written, field.inner);
      if (inner === undefined) return undefined;
      written = inner;
    }
    at = next;
  }
  flush(at);
  out[written++] = 0;
  out.writeInt32LE(written - to, to);
  return written;
}

function findField(tree: Tree, bytes: Buffer, start: number, end: number): Tree[number] | undefined {
  search: for (const field of tree) {
    const { name } = field;
    if (name.length !== end - start) continue;
    for (let at = 0; at < name.length; at++) if (name[at] !== bytes[start + at]) continue search;
    return field;
  }
  return undefined;
}

const DOCUMENT = 0x03;
const ARRAY = 0x04;
const FIXED_SIZES: Readonly<Record<number, number>> = {
  1: 8,
  7: 12,
  8: 1,
  9: 8,
  10: 0,
  16: 4,
  17: 8,
  18: 8,
  19: 16,
  255: 0,
  127: 0,
};

// Returns NaN for types whose bytes cannot be copied unchanged: undefined, regular expressions, unknown types.
function sizeOf(type: number, bytes: Buffer, at: number): number {
  const fixed = FIXED_SIZES[type];
  if (fixed !== undefined) return fixed;
  if (type === DOCUMENT || type === ARRAY || type === 0x0f) return bytes.readInt32LE(at);
  if (type === 0x02 || type === 0x0d || type === 0x0e) return 4 + bytes.readInt32LE(at);
  if (type === 0x05) return 5 + bytes.readInt32LE(at);
  return Number.NaN;
}
