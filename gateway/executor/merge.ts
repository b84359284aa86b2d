export type JsonObject = Record<string, unknown>;

/** Is it an object or a list, that is: something with keys? */
export const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null;

/**
 * Adds a subgraph's answer to what is there already, deeply. An alias or a JSON value may carry the key `__proto__`;
 * writing it would change every object of the process, so it is left out.
 */
export function merge(into: JsonObject, from: JsonObject): void {
  // `in`, as a list of the keys costs more than all else here; what is inherited is nothing of an answer
  for (const key in from) {
    if (key === '__proto__' || !Object.hasOwn(from, key)) continue;
    const present = into[key];
    const added = from[key];
    if (present === added) continue;
    if (isObject(present) && isObject(added)) merge(present, added);
    else into[key] = added;
  }
}
