// The `arrayFilters` of an update.

import { storeError } from '../protocol/errors.ts';
import { compileFilter } from '../query/match.ts';
import { type Doc, isDocument, type Value } from '../values/bson.ts';
import type { Collation } from '../values/compare.ts';

/**
 * The compiled filters. `of` returns the test for a `$[identifier]`; `check` throws BadValue (2) for an identifier
 * without a filter and FailedToParse (9) for an unused filter.
 */
type ArrayFilters = {
  of(identifier: string): (element: Value) => boolean;
  check(paths: readonly (readonly string[])[]): void;
};

/** Compiles `arrayFilters`. Each filter uses one name, which refers to the array element. */
export function compileArrayFilters(filters: Doc[], options: { collation?: Collation; let?: Doc }): ArrayFilters {
  const tests = new Map<string, (element: Value) => boolean>();
  for (const filter of filters) {
    const name = elementName(filter);
    if (tests.has(name)) throw storeError(9, `Found multiple array filters with the same top-level field name ${name}`);
    const { test } = compileFilter(filter, options);
    tests.set(name, (element) => test({ [name]: element }));
  }
  return {
    of: (identifier) => tests.get(identifier) ?? (() => false),
    check: (paths) => {
      const used = new Set(paths.flat().flatMap((segment) => /^\$\[(.+)\]$/.exec(segment)?.[1] ?? []));
      for (const identifier of used)
        if (!tests.has(identifier)) throw storeError(2, `No array filter found for identifier '${identifier}'`);
      for (const name of tests.keys())
        if (!used.has(name))
          throw storeError(9, `The array filter for identifier '${name}' was not used in the update`);
    },
  };
}

function elementName(filter: Doc): string {
  const [name, other] = new Set(namesIn(filter));
  if (name === undefined)
    throw storeError(9, 'Cannot use an expression without a top-level field name in arrayFilters');
  if (other !== undefined)
    throw storeError(9, `An array filter has a single top-level field name; found '${name}' and '${other}'`);
  if (!/^[a-z][a-zA-Z0-9]*$/.test(name))
    throw storeError(
      2,
      `The name of an array filter is alphanumeric and begins with a lowercase letter; found '${name}'`,
    );
  return name;
}

function namesIn(filter: Doc): string[] {
  return Object.entries(filter).flatMap(([key, value]) => {
    if (!key.startsWith('$')) return [key.split('.')[0]!];
    return Array.isArray(value) ? value.filter(isDocument).flatMap(namesIn) : [];
  });
}
