// Edits addresses inside an asm.json in place, so that formatting, key order, unknown fields and line ends stay as the
// author wrote them.

/** A new address for a reference; `path` is the JSON pointer of the reference object. */
export type LocationEdit = { path: string; to: string };

/**
 * Returns the bytes of an asm.json with new addresses; only the strings of these locations differ. The file must have
 * been parsed before (parseAsmJson), and every path must be one of its references. Of duplicate keys (older files) the
 * last one counts, as for JSON.parse.
 */
export function rewriteLocations(file: Buffer, edits: readonly LocationEdit[]): Buffer {
  const wanted: Node = { children: new Map(), span: null };
  const leaves = edits.map(({ path, to }) => ({ path, to, node: nodeAt(wanted, `${path}/location`) }));
  find(file, skipWhitespace(file, 0), wanted);

  const replacements = leaves.map(({ path, to, node: { span } }) => {
    if (!span) throw new Error(`The asm.json has no location at ${path}`);
    return { ...span, text: Buffer.from(JSON.stringify(to)) };
  });
  const pieces: Buffer[] = [];
  let end = 0;
  for (const edit of replacements.sort((a, b) => a.from - b.from)) {
    pieces.push(file.subarray(end, edit.from), edit.text);
    end = edit.to;
  }
  return Buffer.concat([...pieces, file.subarray(end)]);
}

/** A node on the path to a wanted string. `span` is the byte range of the string with its quotes, once found. */
type Node = { children: Map<string, Node>; span: { from: number; to: number } | null };

function nodeAt(root: Node, pointer: string): Node {
  let node = root;
  for (const step of pointer.split('/').slice(1)) {
    const next: Node = node.children.get(step) ?? { children: new Map(), span: null };
    node.children.set(step, next);
    node = next;
  }
  return node;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Records the spans of the wanted strings in the value at an offset. Returns the offset after the value. */
function find(file: Buffer, at: number, node: Node): number {
  if (file[at] === OPEN_OBJECT) return findInObject(file, at, node);
  if (file[at] === OPEN_ARRAY) return findInArray(file, at, node);
  const end = skipValue(file, at);
  if (file[at] === QUOTE) node.span = { from: at, to: end };
  return end;
}

function findInObject(file: Buffer, open: number, { children }: Node): number {
  let at = skipWhitespace(file, open + 1);
  while (file[at] !== CLOSE_OBJECT) {
    const keyEnd = skipString(file, at);
    const child = children.get(keyOf(file, at, keyEnd));
    const value = skipWhitespace(file, skipWhitespace(file, keyEnd) + 1); // skips the colon
    at = skipComma(file, child ? find(file, value, child) : skipValue(file, value));
  }
  return at + 1;
}

function findInArray(file: Buffer, open: number, { children }: Node): number {
  let at = skipWhitespace(file, open + 1);
  for (let i = 0; file[at] !== CLOSE_ARRAY; i++) {
    const child = children.get(String(i));
    at = skipComma(file, child ? find(file, at, child) : skipValue(file, at));
  }
  return at + 1;
}

function keyOf(file: Buffer, from: number, to: number): string {
  const text = file.toString('latin1', from + 1, to - 1);
  return text.includes('\\') ? String(JSON.parse(file.toString('utf8', from, to))) : text;
}

function skipComma(file: Buffer, end: number): number {
  const at = skipWhitespace(file, end);
  return file[at] === COMMA ? skipWhitespace(file, at + 1) : at;
}

function skipWhitespace(file: Buffer, from: number): number {
  let at = from;
  while (file[at]! <= 0x20) at++;
  return at;
}

function skipString(file: Buffer, quote: number): number {
  let at = quote + 1;
  while (file[at] !== QUOTE) at += file[at] === BACKSLASH ? 2 : 1;
  return at + 1;
}

// A container ends when all opened brackets are closed. Brackets in strings do not count.
function skipValue(file: Buffer, from: number): number {
  let at = from;
  let open = 0;
  do {
    const byte = file[at]!;
    if (byte === QUOTE) at = skipString(file, at);
    else {
      if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) open++;
      else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) open--;
      else if (open === 0) return skipScalar(file, at);
      at++;
    }
  } while (open > 0);
  return at;
}

function skipScalar(file: Buffer, from: number): number {
  let at = from;
  while (
    at < file.length &&
    file[at]! > 0x20 &&
    file[at] !== COMMA &&
    file[at] !== CLOSE_ARRAY &&
    file[at] !== CLOSE_OBJECT
  )
    at++;
  return at;
}
