/**
 * The JSON pointer of the first key that stands twice in its object, null when there is none. Readers differ in which of the two they take, so that what one checked may not be what another does. The text must be JSON, and
 * `keys` how many keys its value has when it is read: only where that tells of a key that was lost is the text gone through once more.
 */
export function findDuplicateKey(text: string, keys: number): string | null {
  return keysIn(text) === keys ? null : firstRepeated(text);
}

const BACKSLASH = 0x5c;
const COLON = 0x3a;

// A text with a colon behind it is a key.
function keysIn(text: string): number {
  let keys = 0;
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at)) {
    at = endOfText(text, at);
    while (isBlank(text.charCodeAt(at))) at++;
    if (text.charCodeAt(at) === COLON) keys++;
  }
  return keys;
}

const isBlank = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;

type Level = { keys: Set<string> | null; step: string; items: number };

function firstRepeated(text: string): string | null {
  const levels: Level[] = [];
  let last = ''; // the text before a colon is the key
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    const level = levels.at(-1);
    if (char === '{' || char === '[') levels.push({ keys: char === '{' ? new Set() : null, step: '0', items: 0 });
    else if (char === '}' || char === ']') levels.pop();
    else if (char === ',' && level && !level.keys) level.step = String(++level.items);
    else if (char === ':' && level?.keys) {
      level.step = String(JSON.parse(last));
      if (level.keys.has(level.step))
        return levels.map(({ step }) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
      level.keys.add(level.step);
    } else if (char === '"') {
      const end = endOfText(text, at);
      last = text.slice(at, end);
      at = end - 1;
    }
  }
  return null;
}

/** The place behind a text, by the place of its first quotation mark. */
function endOfText(text: string, quote: number): number {
  let end = text.indexOf('"', quote + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end + 1;
}

function isEscaped(text: string, quote: number): boolean {
  let before = quote - 1;
  while (text.charCodeAt(before) === BACKSLASH) before--;
  return (quote - before) % 2 === 0;
}
