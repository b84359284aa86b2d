// Finds duplicate keys in JSON text.

/**
 * Returns the JSON pointer of the first duplicate key of an object, or null. Parsers differ in which of the two values
 * they use. The text must be JSON, and `keys` the number of keys of its parsed value: the text is scanned in full only
 * if it has more keys than that.
 */
export function findDuplicateKey(text: string, keys: number): string | null {
  return countKeys(text) === keys ? null : firstDuplicate(text);
}

const BACKSLASH = 0x5c;
const COLON = 0x3a;

// A string followed by a colon is a key.
function countKeys(text: string): number {
  let keys = 0;
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at)) {
    at = endOfString(text, at);
    while (isWhitespace(text.charCodeAt(at))) at++;
    if (text.charCodeAt(at) === COLON) keys++;
  }
  return keys;
}

const isWhitespace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;

/** An open object (with the keys so far) or array; `step` is the key or index of the current value. */
type Level = { keys: Set<string> | null; step: string; items: number };

function firstDuplicate(text: string): string | null {
  const levels: Level[] = [];
  let lastString = '';
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    const level = levels.at(-1);
    if (char === '{' || char === '[') levels.push({ keys: char === '{' ? new Set() : null, step: '0', items: 0 });
    else if (char === '}' || char === ']') levels.pop();
    else if (char === ',' && level && !level.keys) level.step = String(++level.items);
    else if (char === ':' && level?.keys) {
      level.step = String(JSON.parse(lastString));
      if (level.keys.has(level.step))
        return levels.map(({ step }) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
      level.keys.add(level.step);
    } else if (char === '"') {
      const end = endOfString(text, at);
      lastString = text.slice(at, end);
      at = end - 1;
    }
  }
  return null;
}

/** Returns the index after the string that starts with the quotation mark at `quote`. */
function endOfString(text: string, quote: number): number {
  let end = text.indexOf('"', quote + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end + 1;
}

function isEscaped(text: string, quote: number): boolean {
  let before = quote - 1;
  while (text.charCodeAt(before) === BACKSLASH) before--;
  return (quote - before) % 2 === 0;
}
