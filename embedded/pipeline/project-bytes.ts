import { isTruthy } from '../expressions/expression-scope.ts';
import { type Doc, isDocument, isNumber, type Value } from '../values/bson.ts';

/** Cuts the kept fields out of a document's bytes; undefined where that needs the decoded document. */
export type BytesProjection = (bytes: Buffer) => Buffer | undefined;

/**
 * The projection of a find as a copy of bytes, which is many times cheaper than to decode, select and encode: for those that only name fields to keep.
 * Undefined for all others, and a document with an array on the way to a field is left to them too. The specification has been checked by `compileProjection`.
 */
export function compileBytesProjection(spec: Doc): BytesProjection | undefined {
  const { _id: id, ...named } = spec;
  const paths = pathsOf(named, []);
  if (!paths?.length || (id !== undefined && !isFlag(id))) return undefined;
  const tree = treeOf(id === undefined || isTruthy(id) ? [['_id'], ...paths] : paths);
  // What is cut stands side by side in pieces of memory, larger ones the more there is.
  let piece = Buffer.alloc(0);
  let used = 0;
  return (bytes) => {
    if (piece.length - used < bytes.length) {
      piece = Buffer.allocUnsafe(Math.max(bytes.length, Math.min(2 * piece.length, LARGEST_PIECE)));
      used = 0;
    }
    const end = copyKept(bytes, 0, piece, used, tree);
    if (end === undefined) return undefined;
    const cut = piece.subarray(used, end);
    used = end;
    return cut;
  };
}

const LARGEST_PIECE = 64 * 1024;

type Tree = { name: Buffer; below: Tree | null }[];

// every path that is kept; undefined when something else is asked for
function pathsOf(spec: Doc, above: readonly string[]): string[][] | undefined {
  const paths: string[][] = [];
  for (const [key, value] of Object.entries(spec)) {
    const path = [...above, ...key.split('.')];
    if (path.some((name) => name === '' || name.startsWith('$'))) return undefined;
    const below = isFlag(value)
      ? isTruthy(value)
        ? [path]
        : undefined
      : isDocument(value)
        ? pathsOf(value, path)
        : undefined;
    if (!below?.length) return undefined;
    paths.push(...below);
  }
  return paths;
}

const isFlag = (value: Value): boolean => typeof value === 'boolean' || isNumber(value);

function treeOf(paths: readonly (readonly string[])[]): Tree {
  const groups = Map.groupBy(paths, ([name]) => name ?? '');
  return [...groups].map(([name, group]) => {
    const below = group.map((path) => path.slice(1));
    return { name: Buffer.from(name), below: below.some(({ length }) => length === 0) ? null : treeOf(below) };
  });
}

// Copies the document at `from` with the kept fields only; answers where the copy ends, or undefined when it cannot be made from the bytes alone.
function copyKept(bytes: Buffer, from: number, out: Buffer, to: number, tree: Tree): number | undefined {
  const end = from + bytes.readInt32LE(from) - 1;
  let left = tree.length;
  let written = to + 4;
  let run = from + 4; // kept fields that stand side by side are copied in one go
  let at = run;
  const flush = (until: number): void => {
    if (until > run) written += bytes.copy(out, written, run, until);
  };
  while (at < end && left > 0) {
    const type = bytes[at]!;
    const named = at + 1;
    let value = named;
    while (bytes[value] !== 0) value++;
    const field = fieldAt(tree, bytes, named, value++);
    const next = value + sizeOf(type, bytes, value);
    if (!(next <= end)) return undefined;
    if (field) left--;
    if (!field || field.below) {
      flush(at);
      run = next;
    }
    if (field?.below && type === ARRAY) return undefined;
    if (field?.below && type === DOCUMENT) {
      written += bytes.copy(out, written, at, value);
      const inner = copyKept(bytes, value, out, written, field.below);
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

function fieldAt(tree: Tree, bytes: Buffer, start: number, end: number): Tree[number] | undefined {
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
const FIXED: Readonly<Record<number, number>> = {
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

// NaN for what is not copied as it stands: undefined, regular expressions, unknown types
function sizeOf(type: number, bytes: Buffer, at: number): number {
  const fixed = FIXED[type];
  if (fixed !== undefined) return fixed;
  if (type === DOCUMENT || type === ARRAY || type === 0x0f) return bytes.readInt32LE(at);
  if (type === 0x02 || type === 0x0d || type === 0x0e) return 4 + bytes.readInt32LE(at);
  if (type === 0x05) return 5 + bytes.readInt32LE(at);
  return Number.NaN;
}
