// Merges the responses of subgraphs.
export type JsonObject = Record<string, unknown>;

/** Whether a value is an object or a list. */
export const isObjectOrList = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null;

/**
 * Merges `from` into `into`, deeply. An alias or a JSON value may contain the key `__proto__`, which would change every
 * object of the process, so it is skipped.
 */
export function merge(into: JsonObject, from: JsonObject): void {
  // `for in`, because a list of the keys would be the largest cost here.
  for (const key in from) {
    if (key === '__proto__' || !Object.hasOwn(from, key)) continue;
    const present = into[key];
    const added = from[key];
    if (present === added) continue;
    if (isObjectOrList(present) && isObjectOrList(added)) merge(present, added);
    else into[key] = added;
  }
}
