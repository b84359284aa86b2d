/**
 * The canonical JSON of a value (RFC 8785): no blanks, the keys of every object in the order of their UTF-16 code units. What has no
 * JSON is left out of objects and null in lists, as in JSON.stringify; dates are RFC 3339 texts. Refuses text that is not well formed.
 */
export function canonicalJson(value: unknown): string {
  return written(value) ?? 'null';
}

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
