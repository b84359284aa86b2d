// Finds the first error in text that is not JSON, to describe it without the words of a JavaScript engine.

const EXPECTED = {
  value: 'a value',
  valueOrEnd: 'a value or ]',
  key: 'a name in double quotes',
  keyOrEnd: 'a name in double quotes or }',
  colon: 'a colon',
  nextKey: 'a comma or }',
  nextValue: 'a comma or ]',
  end: 'the end of the text',
} as const;
type State = keyof typeof EXPECTED;

type JsonError = { at: number; expected: string };

/** Describes the first error of a text: what was expected at which line and column. Null if the text is JSON. */
export function describeJsonError(text: string): string | null {
  const error = findJsonError(text);
  if (!error) return null;
  const before = text.slice(0, error.at).split('\n');
  const column = (before.at(-1)?.length ?? 0) + 1;
  const codePoint = text.codePointAt(error.at);
  const found =
    codePoint === undefined ? 'the text ends' : `there is ${JSON.stringify(String.fromCodePoint(codePoint))}`;
  return `expected ${error.expected} at line ${before.length}, column ${column}, but ${found}`;
}

/** Returns the position of the first error of a text (RFC 8259) and what was expected there; null if it is JSON. */
function findJsonError(text: string): JsonError | null {
  const open: ('{' | '[')[] = [];
  let state: State = 'value';
  let at = 0;
  const close = (): void => {
    open.pop();
    at++;
    state = stateAfterValue(open);
  };
  for (;;) {
    at = matchEnd(SPACE, text, at);
    const char = text[at];
    if (char === undefined && state === 'end') return null;
    if ((char === ']' && (state === 'valueOrEnd' || state === 'nextValue')) || (char === '}' && state === 'nextKey'))
      close();
    else if (char === '}' && state === 'keyOrEnd') close();
    else if (char === ',' && (state === 'nextKey' || state === 'nextValue')) {
      state = state === 'nextKey' ? 'key' : 'value';
      at++;
    } else if (char === ':' && state === 'colon') {
      state = 'value';
      at++;
    } else if (char === '"' && (state === 'key' || state === 'keyOrEnd' || isValue(state))) {
      const end = matchEnd(STRING_START, text, at);
      if (text[end] !== '"') return stringError(text, end);
      at = end + 1;
      state = isValue(state) ? stateAfterValue(open) : 'colon';
    } else if ((char === '{' || char === '[') && isValue(state)) {
      open.push(char);
      at++;
      state = char === '{' ? 'keyOrEnd' : 'valueOrEnd';
    } else {
      const end = isValue(state) ? matchEnd(NUMBER_OR_WORD, text, at) : at;
      if (end === at) return { at, expected: EXPECTED[state] };
      at = end;
      state = stateAfterValue(open);
    }
  }
}

const SPACE = /[ \t\r\n]*/y;
const NUMBER_OR_WORD = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)?/y;
// The opening quotation mark and all valid characters after it.
const STRING_START = /"[^"\\\p{Cc}\x7f]*(?:(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})|[\x7f-\x9f])[^"\\\p{Cc}\x7f]*)*/uy;

const isValue = (state: State): boolean => state === 'value' || state === 'valueOrEnd';

function stateAfterValue(open: readonly string[]): State {
  const inner = open.at(-1);
  if (inner === undefined) return 'end';
  return inner === '{' ? 'nextKey' : 'nextValue';
}

function matchEnd(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return at + (pattern.exec(text)?.[0].length ?? 0);
}

function stringError(text: string, at: number): JsonError {
  return { at, expected: text[at] === '\\' ? 'a valid escape sequence' : 'the end of a string' };
}
