// The explain command: the plan of a query and, with `executionStats`, how much the query reads.
import { countResultOf } from '../pipeline/aggregate.ts';
import { type Call, openView } from '../process/store.ts';
import { notImplemented, storeError } from '../protocol/errors.ts';
import { int } from '../protocol/reply.ts';
import { validateStatement } from '../protocol/validate.ts';
import { countHits, type Examined } from '../query/execute.ts';
import { runPaused } from '../query/merge-sort.ts';
import { type IndexPlan, joinIndex, type Plan } from '../query/planner.ts';
import { prepareQuery, type Query } from '../query/query.ts';
import type { View } from '../storage/view.ts';
import { asNumber, type Doc, isDocument, type Value } from '../values/bson.ts';
import { type Commands, toNamespace } from './command.ts';
import { findQuery, pipelineQuery } from './read.ts';

export const explainCommands: Commands = { explain: { kind: 'plain', run: explain } };

async function explain(call: Call): Promise<Doc> {
  const { body, store, database, timeSlice } = call;
  const inner = body.explain as Doc;
  if (body.verbosity !== undefined && !VERBOSITIES.has(String(body.verbosity)))
    throw storeError(2, `Enumeration value '${body.verbosity}' for field 'explain.verbosity' is not a valid value.`);
  const name = Object.keys(inner)[0] ?? '';
  const namespace = toNamespace(database, inner[name]);
  const query = toQuery(name, inner);
  const collection = store.catalog.get(namespace);
  const prepared = prepareQuery(query);
  const base = { explainVersion: '1', command: inner, serverInfo: { host: 'embedded', version: '8.0.0' } };
  if (!collection)
    return {
      queryPlanner: { namespace, parsedQuery: query.filter, winningPlan: { stage: 'EOF' }, rejectedPlans: [] },
      ...base,
    };
  const { view, release } = openView(call);
  try {
    const countsOnly =
      name === 'count' || (name === 'aggregate' && countResultOf(pipelineQuery(inner).rest) !== undefined);
    const winningPlan = describePlan(prepared.plan(view, collection), query, countsOnly);
    const queryPlanner = { namespace, parsedQuery: query.filter, winningPlan, rejectedPlans: [] };
    const joins = name === 'aggregate' ? { stages: describeJoins(pipelineQuery(inner).rest, call, view, query) } : {};
    if (body.verbosity === 'queryPlanner') return { queryPlanner, ...joins, ...base };
    const examined: Examined = { keys: 0, documents: 0 };
    const startedAt = performance.now();
    const counting = countsOnly
      ? prepared.count(view, collection, timeSlice, examined)
      : countHits(prepared.run(view, collection, timeSlice, examined));
    const returned = await runPaused(counting, timeSlice);
    const executionStats = {
      executionSuccess: true,
      nReturned: int(returned),
      executionTimeMillis: int(Math.round(performance.now() - startedAt)),
      totalKeysExamined: int(examined.keys),
      totalDocsExamined: int(examined.documents),
    };
    return { queryPlanner, ...joins, executionStats, ...base };
  } finally {
    release();
  }
}

const VERBOSITIES: ReadonlySet<string> = new Set(['queryPlanner', 'executionStats', 'allPlansExecution']);

function toQuery(name: string, inner: Doc): Query {
  switch (name) {
    case 'find':
      return findQuery(inner);
    case 'aggregate':
      return pipelineQuery(inner).query;
    case 'count':
    case 'distinct':
      return queryFromFields(inner.query, inner);
    case 'findAndModify':
      return queryFromFields(inner.query, { ...inner, limit: 1 });
    case 'update':
      return queryFromStatement('update', inner.updates, (statement) => (statement.multi === true ? 0 : 1));
    case 'delete':
      return queryFromStatement('delete', inner.deletes, (statement) => asNumber(statement.limit) ?? 0);
    default:
      throw notImplemented(`explain of ${name}`);
  }
}

function queryFromStatement(kind: 'update' | 'delete', statements: Value, limit: (statement: Doc) => number): Query {
  const [statement] = Array.isArray(statements) ? statements : [];
  const { q, ...options } = validateStatement(kind, statement);
  return queryFromFields(q, { ...options, limit: limit(options) });
}

const queryFromFields = (filter: Value, { hint, collation, sort, limit, skip }: Doc): Query => ({
  filter: isDocument(filter) ? filter : {},
  hint,
  limit: asNumber(limit),
  skip: asNumber(skip),
  collation: isDocument(collation) ? collation : undefined,
  sort: isDocument(sort) ? sort : undefined,
});

function describePlan(plan: Plan, { filter, sort, limit, skip }: Query, countsOnly: boolean): Doc {
  if (countsOnly && plan.kind === 'index' && plan.exact)
    return { stage: 'COUNT', inputStage: { ...describeIndexScan(plan), stage: 'COUNT_SCAN' } };
  let stage: Doc = describeAccess(plan, filter);
  if (sort && Object.keys(sort).length > 0 && !plan.sorted)
    stage = { stage: 'SORT', sortPattern: sort, inputStage: stage };
  if (skip) stage = { stage: 'SKIP', skipAmount: int(skip), inputStage: stage };
  if (limit) stage = { stage: 'LIMIT', limitAmount: int(limit), inputStage: stage };
  return stage;
}

// Describes how the remaining stages of a pipeline read other collections.
function describeJoins(stages: Doc[], { store, database }: Call, view: View, { collation }: Query): Doc[] {
  return stages.flatMap((stage): Doc[] => {
    const [name = ''] = Object.keys(stage);
    const argument = stage[name];
    const path = isDocument(argument) ? argument.foreignField : undefined;
    if (name !== '$lookup') return [];
    if (!isDocument(argument) || typeof path !== 'string') return [{ stage: name, strategy: 'NestedLoopJoin' }];
    const index = collation
      ? undefined
      : joinIndex(store.catalog.get(toNamespace(database, argument.from)), view.version, path);
    return [
      {
        stage: name,
        from: argument.from,
        ...(index ? { strategy: 'IndexedLoopJoin', indexName: index.name } : { strategy: 'HashJoin' }),
      },
    ];
  });
}

function describeAccess(plan: Plan, filter: Doc): Doc {
  if (plan.kind === 'collection')
    return { stage: 'COLLSCAN', direction: plan.reverse ? 'backward' : 'forward', filter };
  if (plan.kind === 'union')
    return { stage: 'FETCH', filter, inputStage: { stage: 'OR', inputStages: plan.branches.map(describeIndexScan) } };
  return { stage: 'FETCH', ...(!plan.exact && { filter }), inputStage: describeIndexScan(plan) };
}

function describeIndexScan({ index, labels, reverse }: IndexPlan): Doc {
  const indexBounds = Object.fromEntries(
    index.fields.map(({ path }, at) => [path, labels[at] ?? ['[MinKey, MaxKey]']]),
  );
  return {
    stage: 'IXSCAN',
    keyPattern: index.key,
    indexName: index.name,
    isMultiKey: index.multikey,
    isUnique: index.unique,
    isSparse: index.sparse,
    isPartial: index.partial !== undefined,
    direction: reverse ? 'backward' : 'forward',
    indexBounds,
  };
}
