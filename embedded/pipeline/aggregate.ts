// Compiles and runs aggregation pipelines.

import { letScope, type Scope } from '../expressions/expressions.ts';
import { notImplemented, storeError } from '../protocol/errors.ts';
import { compileFilter } from '../query/match.ts';
import { sortStream } from '../query/sorting.ts';
import { asNumber, type Doc, firstField, isDocument, isNumber, type Value } from '../values/bson.ts';
import { type Collation, sortParts } from '../values/compare.ts';
import { formatValue } from '../values/format-value.ts';
import { compileDocumentStage } from './document-stages.ts';
import { compileGroup, countValue } from './group.ts';
import { compileLookup, type Source, type Stage } from './lookup.ts';
import { compileUnwind } from './unwind.ts';

export type { Source } from './lookup.ts';

type PipelineOptions = { let?: Doc; collation?: Collation; now: Date };

/**
 * Splits off the leading stages that a query plan can execute, in the order filter, sort, skip, limit. `rest` contains
 * the other stages.
 */
export function splitPipeline(stages: Doc[]): { filter?: Doc; sort?: Doc; skip?: number; limit?: number; rest: Doc[] } {
  const filters: Doc[] = [];
  let sort: Doc | undefined;
  let at = 0;
  for (; at < stages.length; at++) {
    const { $match, $sort } = stages[at]!;
    if (isDocument($match)) filters.push($match);
    else if (isDocument($sort) && Object.keys($sort).length > 0 && !sort) {
      sortParts($sort);
      sort = $sort;
    } else break;
  }
  const skip = integerAtLeast(stages[at]?.$skip, 0);
  if (skip !== undefined) at++;
  const limit = integerAtLeast(stages[at]?.$limit, 1);
  if (limit !== undefined) at++;
  return { filter: filters.length > 1 ? { $and: filters } : filters[0], sort, skip, limit, rest: stages.slice(at) };
}

/**
 * If the stages only count their input, as drivers do, returns a function that creates the result for a count;
 * otherwise undefined.
 */
export function countResultOf(stages: Doc[]): ((count: number) => Doc) | undefined {
  const group = stages.length === 1 ? stages[0]!.$group : undefined;
  if (!isDocument(group)) return undefined;
  const { _id, n, ...more } = group;
  const countsEach = isDocument(n) && Object.keys(n).length === 1 && asNumber(n.$sum) === 1;
  return isNumber(_id) && countsEach && Object.keys(more).length === 0
    ? (count) => ({ _id, n: countValue(count) })
    : undefined;
}

/** Runs the stages over the input. All stages are validated before the first document is read. */
export function runPipeline(
  input: AsyncIterable<Doc>,
  stages: Doc[],
  source: Source,
  options: PipelineOptions,
): AsyncIterable<Doc> {
  return compilePipeline(stages, source, letScope(options.let, options))(input);
}

function compilePipeline(stages: Doc[], source: Source, scope: Scope): Stage {
  const compiled: Stage[] = [];
  for (const [at, stage] of stages.entries()) {
    // A limit after a sort allows the sort to discard the rest. The limit stage remains.
    const limit = firstField(stage) === '$sort' ? integerAtLeast(stages[at + 1]?.$limit, 1) : undefined;
    compiled.push(compileStage(stage, source, scope, limit));
  }
  return (input) => compiled.reduce((stream, stage) => stage(stream), input);
}

function compileStage(stage: Doc, source: Source, scope: Scope, sortLimit?: number): Stage {
  const name = firstField(stage)!;
  const argument = stage[name];
  const transform = compileDocumentStage(stage, scope);
  if (transform) return (input) => map(input, transform);
  switch (name) {
    case '$match': {
      if (!isDocument(argument)) throw storeError(15959, 'the match filter must be an expression in an object');
      const { test } = compileFilter(argument, { scope, collation: scope.collation });
      return (input) => filter(input, test);
    }
    case '$sort':
      return compileSortStage(argument, scope, sortLimit);
    case '$limit': {
      const limit = requireStageNumber(5107201, argument);
      if (limit < 1) throw storeError(15958, 'the limit must be positive');
      return (input) => limitStream(input, limit);
    }
    case '$skip': {
      const skip = requireStageNumber(5107200, argument);
      return (input) => skipStream(input, skip);
    }
    case '$count':
      return compileCount(argument);
    case '$group':
      return compileGroup(argument, scope);
    case '$unwind':
      return compileUnwind(argument);
    case '$lookup':
      return compileLookup(argument, source, scope, (stages, inner) => compilePipeline(stages, source, inner));
    default:
      throw notImplemented(`the stage ${name}`);
  }
}

async function* map(input: AsyncIterable<Doc>, transform: (doc: Doc) => Doc): AsyncIterable<Doc> {
  for await (const doc of input) yield transform(doc);
}

async function* filter(input: AsyncIterable<Doc>, test: (doc: Doc) => boolean): AsyncIterable<Doc> {
  for await (const doc of input) if (test(doc)) yield doc;
}

async function* limitStream(input: AsyncIterable<Doc>, limit: number): AsyncIterable<Doc> {
  let remaining = limit;
  for await (const doc of input) {
    yield doc;
    if (--remaining === 0) return;
  }
}

async function* skipStream(input: AsyncIterable<Doc>, skip: number): AsyncIterable<Doc> {
  let remaining = skip;
  for await (const doc of input) if (--remaining < 0) yield doc;
}

function compileSortStage(spec: Value, scope: Scope, limit: number | undefined): Stage {
  if (!isDocument(spec)) throw storeError(15973, 'the $sort key specification must be an object');
  if (Object.keys(spec).length === 0) throw storeError(15976, '$sort stage must have at least one sort key');
  sortParts(spec);
  return (input) => sortStream(input, spec, limit, scope.collation);
}

function compileCount(name: Value): Stage {
  if (typeof name !== 'string') throw storeError(40156, 'the count field must be a non-empty string');
  if (name === '') throw storeError(40157, 'the count field must be a non-empty string');
  if (name.startsWith('$')) throw storeError(40158, 'the count field cannot be a $-prefixed path');
  if (name.includes('.')) throw storeError(40160, "the count field cannot contain '.'");
  return async function* count(input) {
    let total = 0;
    for await (const _ of input) total++;
    if (total > 0) yield { [name]: countValue(total) };
  };
}

function integerAtLeast(value: Value, min: number): number | undefined {
  const number = asNumber(value);
  return number !== undefined && Number.isSafeInteger(number) && number >= min ? number : undefined;
}

function requireStageNumber(code: number, value: Value): number {
  const number = integerAtLeast(value, 0);
  if (number === undefined)
    throw storeError(
      code,
      `invalid argument to $limit or $skip: expected a non-negative integer, got ${formatValue(value)}`,
    );
  return number;
}
