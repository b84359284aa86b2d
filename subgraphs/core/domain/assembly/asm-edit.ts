// Changing addresses inside an asm.json without writing it anew: formatting, order of keys, unknown fields and line ends are the author's.

/** A reference to be given another address: `path` is the JSON pointer of the reference object. */
export type Move = { path: string; to: string };

/**
 * The bytes of an asm.json with other addresses: nothing but the strings of these locations differs. The file must have been read before
 * (readAsmJson), and every path must be one of its references. Where a key stands twice in an object (older files), the last one counts, as for JSON.parse.
 */
export function rewriteLocations(file: Buffer, moves: readonly Move[]): Buffer {
  const wanted: Node = { children: new Map(), place: null };
  const leaves = moves.map(({ path, to }) => ({ path, to, node: nodeAt(wanted, `${path}/location`) }));
  find(file, skipBlanks(file, 0), wanted);

  const edits = leaves.map(({ path, to, node: { place } }) => {
    if (!place) throw new Error(`The asm.json has no location at ${path}`);
    return { ...place, text: Buffer.from(JSON.stringify(to)) };
  });
  const pieces: Buffer[] = [];
  let end = 0;
  for (const edit of edits.sort((a, b) => a.from - b.from)) {
    pieces.push(file.subarray(end, edit.from), edit.text);
    end = edit.to;
  }
  return Buffer.concat([...pieces, file.subarray(end)]);
}

/** A step on the way to a wanted string, and where that stands in the file: the offsets of its quotes, the second one excluded. */
type Node = { children: Map<string, Node>; place: { from: number; to: number } | null };

function nodeAt(root: Node, pointer: string): Node {
  let node = root;
  for (const step of pointer.split('/').slice(1)) {
    const next: Node = node.children.get(step) ?? { children: new Map(), place: null };
    node.children.set(step, next);
    node = next;
  }
  return node;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Notes the places of the wanted strings in the value that begins at an offset; answers the offset behind the value. */
function find(file: Buffer, at: number, node: Node): number {
  if (file[at] === OPEN_OBJECT) return findInObject(file, at, node);
  if (file[at] === OPEN_LIST) return findInList(file, at, node);
  const end = skipValue(file, at);
  if (file[at] === QUOTE) node.place = { from: at, to: end };
  return end;
}

function findInObject(file: Buffer, open: number, { children }: Node): number {
  let at = skipBlanks(file, open + 1);
  while (file[at] !== CLOSE_OBJECT) {
    const keyEnd = skipString(file, at);
    const child = children.get(keyOf(file, at, keyEnd));
    const value = skipBlanks(file, skipBlanks(file, keyEnd) + 1); // the colon
    at = skipComma(file, child ? find(file, value, child) : skipValue(file, value));
  }
  return at + 1;
}

function findInList(file: Buffer, open: number, { children }: Node): number {
  let at = skipBlanks(file, open + 1);
  for (let i = 0; file[at] !== CLOSE_LIST; i++) {
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
  const at = skipBlanks(file, end);
  return file[at] === COMMA ? skipBlanks(file, at + 1) : at;
}

function skipBlanks(file: Buffer, from: number): number {
  let at = from;
  while (file[at]! <= 0x20) at++;
  return at;
}

function skipString(file: Buffer, quote: number): number {
  let at = quote + 1;
  while (file[at] !== QUOTE) at += file[at] === BACKSLASH ? 2 : 1;
  return at + 1;
}

// A container ends where as many are closed as were opened; what stands in strings does not count.
function skipValue(file: Buffer, from: number): number {
  let at = from;
  let open = 0;
  do {
    const byte = file[at]!;
    if (byte === QUOTE) at = skipString(file, at);
    else {
      if (byte === OPEN_LIST || byte === OPEN_OBJECT) open++;
      else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) open--;
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
    file[at] !== CLOSE_LIST &&
    file[at] !== CLOSE_OBJECT
  )
    at++;
  return at;
}
