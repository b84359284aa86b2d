// Finds objects of a response by the paths of plans, and the response paths of objects for errors.
import { isObjectOrList, type JsonObject } from './merge.ts';

export type ResponsePath = readonly (string | number)[];

/** Returns the objects at a plan's path below `objects`, without nulls. '@' in a path means each item of a list. */
export function objectsAt(objects: readonly JsonObject[], path: ResponsePath): readonly JsonObject[] {
  let current = objects;
  for (const step of path) {
    if (step === '@') continue; // collect flattens lists
    const next: JsonObject[] = [];
    for (const object of current) collect(object[step], next);
    current = next;
  }
  return current;
}

function collect(value: unknown, into: JsonObject[]): void {
  if (Array.isArray(value)) for (const item of value) collect(item, into);
  else if (isObjectOrList(value)) into.push(value);
}

/** Returns the response path of each target. Walks the whole response, so it is called only for errors. */
export function findPaths(root: JsonObject, targets: readonly JsonObject[]): ResponsePath[] {
  const paths = new Map<JsonObject, ResponsePath>();
  const walk = (value: unknown, path: ResponsePath): void => {
    if (!isObjectOrList(value)) return;
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
