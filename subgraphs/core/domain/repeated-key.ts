/**
 * The JSON pointer of the first key that stands twice in its object, null when there is none. Readers differ in which of the two they take, so that what one checked may not be what another does. The text must be JSON, and
 * `keys` how many keys its value has when it is read: only where that tells of a key that was lost is the text gone through once more.
 */
export function repeatedKey(text: string, keys: number): string | null {
  return colonsIn(text) === keys ? null : firstRepeated(text);
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;

// Outside of texts a colon stands behind each key and nowhere else.
function colonsIn(text: string): number {
  let colons = 0;
  let inside = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) inside = !inside;
    else if (inside && code === BACKSLASH) at++;
    else if (!inside && code === COLON) colons++;
  }
  return colons;
}

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
      if (level.keys.has(level.step)) return levels.map(({ step }) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
      level.keys.add(level.step);
    } else if (char === '"') {
      const end = endOfText(text, at);
      last = text.slice(at, end);
      at = end - 1;
    }
  }
  return null;
}

function endOfText(text: string, quote: number): number {
  let at = quote + 1;
  while (text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at + 1;
}
