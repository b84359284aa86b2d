// The `$lookup` stage.

import { boundVariables, fieldPath, type Scope } from '../expressions/expressions.ts';
import { namedArguments } from '../expressions/named-arguments.ts';
import { storeError } from '../protocol/errors.ts';
import { startTimeSlice } from '../protocol/time-slice.ts';
import { compileFilter } from '../query/match.ts';
import { asNumber, type Doc, getPath, isDocument, typeName, type Value } from '../values/bson.ts';
import { type Collation, RANK, rankOf } from '../values/compare.ts';
import { hashKey } from '../values/hash-key.ts';
import { collectAll, memoryMeter, sizeOf } from '../values/memory.ts';
import { withField } from './unwind.ts';

/** The sort order and number of the documents to read. */
type SortLimit = { sort: Doc; limit: number };

/**
 * Access to other collections in the snapshot of the pipeline. `find` uses indexes and can return only the first
 * documents in an order. If no index starts with a path (`hasIndex`), a join reads the collection once into a hash
 * table instead of searching it for every document.
 */
export type Source = {
  find(collection: string, filter: Doc, first?: SortLimit): AsyncIterable<Doc>;
  hasIndex(collection: string, path: string): boolean;
};

/** A compiled stage or a compiled sequence of stages. */
export type Stage = (input: AsyncIterable<Doc>) => AsyncIterable<Doc>;

type CompilePipeline = (stages: Doc[], scope: Scope) => Stage;

/** Compiles `$lookup` with fields, a pipeline or both. */
export function compileLookup(spec: Value, source: Source, scope: Scope, compile: CompilePipeline): Stage {
  const options = namedArguments('$lookup', spec);
  const { localField, foreignField, let: variables = {}, pipeline } = options;
  const [collection, as] = requireStringOptions(options, 'from', 'as');
  const target = fieldPath(as);
  const byField = localField !== undefined || foreignField !== undefined;
  if (byField ? localField === undefined || foreignField === undefined : pipeline === undefined) {
    throw storeError(9, "$lookup requires either 'pipeline' or both 'localField' and 'foreignField' to be specified");
  }
  if (!isDocument(variables))
    throw storeError(9, `$lookup argument 'let' must be an object, not ${typeName(variables)}`);
  const [innerScope, bind] = boundVariables(variables, scope);
  const stages = pipeline === undefined ? undefined : requireStages(pipeline);
  const run = stages && compile(stages, innerScope);
  const [local, foreign] = byField ? requireStringOptions(options, 'localField', 'foreignField') : ['', ''];
  const join = byField ? compileJoin(source, collection, foreign, scope, stages && leadingStages(stages)) : undefined;
  return async function* lookup(input) {
    const findMatches = join?.();
    for await (const doc of input) {
      bind(doc);
      const matches = findMatches ? findMatches(localValues(doc, local)) : source.find(collection, {});
      yield withField(doc, target, await collectAll(run ? run(matches) : matches, memoryMeter('$lookup')));
    }
  };
}

type Join = (values: Value[]) => AsyncIterable<Doc>;

// With an index, each call is one query. Without one, the first call reads the collection into a hash table.
function compileJoin(
  source: Source,
  collection: string,
  path: string,
  scope: Scope,
  leading: Leading = {},
): () => Join {
  const { collation } = scope;
  if (source.hasIndex(collection, path) && !collation)
    return () => (values) =>
      values.length === 0
        ? yieldNothing()
        : source.find(collection, combined(filterForValues(path, values), leading.filter), leading.first);
  return () => {
    let table: Promise<Map<string, Doc[]>> | undefined;
    const timeSlice = startTimeSlice();
    return async function* hashed(values) {
      table ??= readIntoHashTable(source.find(collection, {}), path, collation);
      // Several values can match the same document, but one value matches it only once.
      const returned = values.length > 1 ? new Set<Doc>() : undefined;
      for (const value of values) {
        if (timeSlice.shouldPause()) await timeSlice.pause();
        for (const doc of (await table).get(hashKey(value, collation)) ?? []) {
          if (timeSlice.shouldPause()) await timeSlice.pause();
          if (returned?.has(doc)) continue;
          returned?.add(doc);
          yield doc;
        }
      }
    };
  };
}

type Leading = { filter?: Doc; first?: SortLimit };

// Returns the filter, sort and limit at the start of a pipeline, so that fewer documents are read. The stages still run.
function leadingStages(stages: Doc[]): Leading {
  const filter = stages[0]?.$match;
  if (!isDocument(filter) || mayUseVariables(filter)) return { first: leadingSort(stages) };
  return { filter, first: leadingSort(stages.slice(1)) };
}

function combined(filter: Doc, other: Doc | undefined): Doc {
  return other ? { $and: [filter, other] } : filter;
}

// Variables occur in `$expr` only.
function mayUseVariables(value: Value): boolean {
  if (Array.isArray(value)) return value.some(mayUseVariables);
  return isDocument(value) && Object.entries(value).some(([name, inner]) => name === '$expr' || mayUseVariables(inner));
}

function leadingSort([sorting, limiting]: Doc[]): SortLimit | undefined {
  const [sort, limit] = [sorting?.$sort, asNumber(limiting?.$limit)];
  return isDocument(sort) && limit !== undefined && limit > 0 ? { sort, limit } : undefined;
}

async function* yieldNothing(): AsyncIterable<Doc> {}

function filterForValues(path: string, values: Value[]): Doc {
  const plain = values.filter((value) => rankOf(value) !== RANK.regex);
  // `$in` would execute a regular expression; here it is compared like any other value.
  const regexes = values.filter((value) => rankOf(value) === RANK.regex).map((value) => ({ [path]: { $eq: value } }));
  const filter = { [path]: plain.length === 1 ? { $eq: plain[0] } : { $in: plain } };
  return regexes.length > 0 ? { $or: [filter, ...regexes] } : filter;
}

async function readIntoHashTable(
  docs: AsyncIterable<Doc>,
  path: string,
  collation: Collation | undefined,
): Promise<Map<string, Doc[]>> {
  const table = new Map<string, Doc[]>();
  const meter = memoryMeter('$lookup');
  const isNull = compileFilter({ [path]: null }).test;
  for await (const doc of docs) {
    meter.add(sizeOf(doc));
    const keys = new Set(
      getPath(doc, path)
        .flatMap((value) => [value, ...(Array.isArray(value) ? value : [])])
        .map((value) => hashKey(value, collation)),
    );
    // A missing field equals null.
    if (isNull(doc)) keys.add(hashKey(null));
    for (const key of keys) {
      const docsOfKey = table.get(key);
      if (docsOfKey) docsOfKey.push(doc);
      else table.set(key, [doc]);
    }
  }
  return table;
}

function localValues(doc: Doc, path: string): Value[] {
  const values = getPath(doc, path).flatMap(listOf);
  return values.length > 0 ? values : [null];
}

const listOf = (value: Value): Value[] => (Array.isArray(value) ? value : value === undefined ? [] : [value]);

function requireStringOptions<Names extends string[]>(options: Doc, ...fields: Names): { [at in keyof Names]: string } {
  return fields.map((field) => {
    const value = options[field];
    if (typeof value === 'string') return field === 'from' ? value : fieldPath(value).join('.');
    throw storeError(9, `$lookup argument '${field}' must be a string, found ${typeName(value)}`);
  }) as { [at in keyof Names]: string };
}

function requireStages(pipeline: Value): Doc[] {
  if (!Array.isArray(pipeline)) throw storeError(14, "'pipeline' option must be specified as an array");
  return pipeline;
}
