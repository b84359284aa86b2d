/**
 * The canonical JSON of a value (RFC 8785): no blanks, the keys of every object in the order of their UTF-16 code units. What has no
 * JSON is left out of objects and null in lists, as in JSON.stringify; dates are RFC 3339 texts. Refuses text that is not well formed.
 */
export function canonicalJson(value: unknown): string {
  // Sorted first and written in one go by the engine: half the time of writing it piece by piece.
  const sorted = inOrder(value);
  const text = sorted === UNSORTABLE ? undefined : JSON.stringify(sorted);
  return text === undefined || text.includes(HALF_A_CHARACTER) ? (written(value) ?? 'null') : text;
}

/** The first thing in a value from outside that canonical JSON cannot say, with a JSON pointer to it: half a surrogate pair, a number beyond all numbers. */
export function withoutCanonicalJson(value: unknown, path = ''): { path: string; message: string } | null {
  if (typeof value === 'string') return value.isWellFormed() ? null : { path, message: 'holds half a character' };
  if (typeof value === 'number') return Number.isFinite(value) ? null : { path, message: 'is too large a number' };
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, item] of Object.entries(value)) {
    if (!key.isWellFormed()) return { path, message: 'has a name that holds half a character' };
    const fault = withoutCanonicalJson(item, `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
    if (fault) return fault;
  }
  return null;
}

const UNSORTABLE = Symbol('an object that does not keep the order of its keys');
// How JSON.stringify writes half a surrogate pair; a text may also say so itself.
const HALF_A_CHARACTER = '\\ud';

// A copy with sorted keys; keys that begin with a digit come first in any object, whatever the order they are set in.
function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (Array.isArray(value)) {
    const items = value.map(inOrder);
    return items.includes(UNSORTABLE) ? UNSORTABLE : items;
  }
  if ('toJSON' in value && typeof value.toJSON === 'function') return inOrder(value.toJSON());
  const copy: Record<string, unknown> = {};
  for (const key of sortedKeys(value)) {
    const field = inOrder((value as Record<string, unknown>)[key]);
    if (field === UNSORTABLE || isDigit(key.charCodeAt(0)) || key === '__proto__') return UNSORTABLE;
    copy[key] = field;
  }
  return copy;
}

function sortedKeys(value: object): string[] {
  const keys = Object.keys(value);
  for (let i = 1; i < keys.length; i++) if ((keys[i - 1] as string) > (keys[i] as string)) return keys.sort();
  return keys;
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57;

function written(value: unknown): string | undefined {
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => written(item) ?? 'null').join(',')}]`;
  if ('toJSON' in value && typeof value.toJSON === 'function') return written(value.toJSON());
  let fields = '';
  for (const key of Object.keys(value).sort()) {
    const field = written((value as Record<string, unknown>)[key]);
    if (field !== undefined) fields += `${fields && ','}${quoted(key)}:${field}`;
  }
  return `{${fields}}`;
}

// Half a surrogate pair would be another text once it is stored.
function quoted(text: string): string {
  if (!text.isWellFormed()) throw new RangeError('A text with half a surrogate pair has no canonical JSON.');
  return JSON.stringify(text);
}
