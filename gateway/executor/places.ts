// Where in the answer an entity stands: found by a plan's path, and named by response paths for errors.
import { isObject, type JsonObject } from './merge.ts';

export type ResponsePath = readonly (string | number)[];

/** Every object at a plan's path below the given ones, lists opened ('@' in a path says "each item"), nulls left out. */
export function objectsAt(objects: readonly JsonObject[], path: ResponsePath): readonly JsonObject[] {
  let current = objects;
  for (const step of path) {
    if (step === '@') continue; // lists are opened where they are met
    const next: JsonObject[] = [];
    for (const object of current) gather(object[step], next);
    current = next;
  }
  return current;
}

function gather(value: unknown, into: JsonObject[]): void {
  if (Array.isArray(value)) for (const item of value) gather(item, into);
  else if (isObject(value)) into.push(value);
}

/** The response path of each target below the root. Walks the whole answer, so it is asked only when a subgraph has reported an error. */
export function pathsOf(root: JsonObject, targets: readonly JsonObject[]): ResponsePath[] {
  const paths = new Map<JsonObject, ResponsePath>();
  const walk = (value: unknown, path: ResponsePath): void => {
    if (!isObject(value)) return;
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) walk(item, [...path, index]);
      return;
    }
    if (!paths.has(value)) paths.set(value, path);
    for (const key of Object.keys(value)) walk(value[key], [...path, key]);
  };
  walk(root, []);
  return targets.map((target) => paths.get(target) ?? []);
}
