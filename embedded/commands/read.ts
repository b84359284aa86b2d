import { countingStages, type Source as PipelineSource, runPipeline, splitPipeline } from '../pipeline/aggregate.ts';
import { compileProjection } from '../pipeline/project.ts';
import { type Cut, compileCut } from '../pipeline/project-bytes.ts';
import { type Call, openView } from '../process/engine.ts';
import { wrongType } from '../protocol/common-fields.ts';
import { storeError } from '../protocol/errors.ts';
import { cursorReply, int, long } from '../protocol/reply.ts';
import type { Source } from '../query/cursors.ts';
import { type Hit, type Hits, PAUSE } from '../query/execute.ts';
import { sortPaced } from '../query/merge-sort.ts';
import { joinIndex } from '../query/planner.ts';
import { type Prepared, prepare, type Query, wholeNumber } from '../query/query.ts';
import { toBigInt } from '../storage/retry-record.ts';
import type { View } from '../storage/view.ts';
import { asNumber, type Doc, getPath, isNumber, type Value } from '../values/bson.ts';
import { encodeBytes } from '../values/bytes.ts';
import { compare, compileCollation } from '../values/compare.ts';
import { hashKey } from '../values/hash-key.ts';
import { arrayField, type Commands, collectionOf, documentField, isOn, namespaceFrom, namespaceOf } from './command.ts';

const FIRST_BATCH = 101;

export const readCommands: Commands = {
  find: { kind: 'plain', run: find, inTransaction: true },
  getMore: { kind: 'plain', run: getMore, inTransaction: true },
  killCursors: { kind: 'plain', run: killCursors, inTransaction: true },
  aggregate: { kind: 'plain', run: aggregate, inTransaction: true },
  distinct: { kind: 'plain', run: distinct, inTransaction: true },
  count: { kind: 'plain', run: count },
};

/** The query inside a find command, checked. */
export function findQuery(body: Doc): Query {
  return {
    ...common(body, 'filter'),
    sort: documentField(body, 'sort'),
    skip: notNegative(body, 'skip'),
    limit: notNegative(body, 'limit'),
  };
}

// What all reading commands may say of a query.
function common(body: Doc, filter: string): Query {
  const fields = { filter: documentField(body, filter) ?? {}, hint: body.hint };
  return { ...fields, collation: documentField(body, 'collation'), let: documentField(body, 'let') };
}

async function find(call: Call): Promise<Buffer> {
  const { body } = call;
  const query = findQuery(body);
  const prepared = prepare(query);
  const projection = documentField(body, 'projection') ?? {};
  const isProjected = Object.keys(projection).length > 0;
  const project = isProjected ? compileProjection(projection, { ...query, collation: prepared.collation }) : undefined;
  const collection = collectionOf(call);
  if (!collection) return emptyCursor(call, namespaceOf(call));
  const cut = isProjected ? compileCut(projection) : undefined;
  const batchSize = notNegative(body, 'batchSize') ?? FIRST_BATCH;
  const read = (view: View) => bytesOf(prepared.run(view, collection, call.watch), project, cut);
  return answerRead(call, namespaceOf(call), read, batchSize, isOn(body.singleBatch));
}

function* bytesOf(hits: Hits, project?: (doc: Doc) => Doc, cut?: Cut): Generator<Buffer | typeof PAUSE> {
  for (const hit of hits) {
    if (hit === PAUSE) yield PAUSE;
    else if (!project) yield hit.bytes;
    else yield cut?.(hit.bytes) ?? encodeBytes(project(hit.doc));
  }
}

async function getMore(call: Call): Promise<Buffer> {
  const { body, engine, database, session, transaction } = call;
  const namespace = namespaceFrom(database, body.collection);
  if (!isNumber(body.getMore)) throw wrongType('getMore.getMore', body.getMore, 'long');
  const cursor = engine.cursors.get(toBigInt(body.getMore), namespace);
  if (cursor.session !== session && cursor.session !== undefined)
    throw storeError(13, `Cannot run getMore on cursor ${cursor.id} of another session`);
  if (cursor.transaction !== transaction)
    throw storeError(13, `Cannot run getMore on cursor ${cursor.id} outside of the transaction it belongs to`);
  const { batch, done } = await cursor.take(notNegative(body, 'batchSize') || Number.POSITIVE_INFINITY);
  return cursorReply(namespace, 'nextBatch', batch, done ? 0n : cursor.id, ending(call));
}

function killCursors({ body, engine }: Call): Doc {
  const killed: Value[] = [];
  const missing: Value[] = [];
  for (const [n, id] of (arrayField(body, 'cursors') ?? []).entries()) {
    if (!isNumber(id)) throw wrongType(`killCursors.cursors.${n}`, id, 'long');
    (engine.cursors.kill(toBigInt(id)) ? killed : missing).push(long(toBigInt(id)));
  }
  return { cursorsKilled: killed, cursorsNotFound: missing, cursorsAlive: [], cursorsUnknown: [] };
}

async function aggregate(call: Call): Promise<Buffer> {
  const { body, engine, watch, now } = call;
  const namespace = namespaceOf(call);
  const cursorOptions = documentField(body, 'cursor');
  if (!cursorOptions)
    throw storeError(9, "The 'cursor' option is required, except for aggregate with the explain argument");
  const batchSize = notNegative(cursorOptions, 'batchSize') ?? FIRST_BATCH;
  const { rest, query } = pipelineQuery(body);
  const prepared = prepare(query);
  const collection = engine.catalog.get(namespace);
  const options = { now, let: query.let, collation: prepared.collation };
  const counting = countingStages(rest);
  const read = (view: View): Source => {
    if (counting && collection) return counted(prepared.count(view, collection, watch), counting, call);
    const hits = collection ? prepared.run(view, collection, watch) : nothing();
    return rest.length === 0
      ? bytesOf(hits)
      : encoded(runPipeline(documentsOf(hits, call), rest, foreignSource(call, view, query), options));
  };
  return answerRead(call, namespace, read, batchSize, false);
}

// Nothing at all for nothing, as a group of no documents is.
async function* counted(
  count: ReturnType<Prepared['count']>,
  answer: (count: number) => Doc,
  call: Call,
): AsyncGenerator<Buffer> {
  const n = await numberOf(count, call);
  if (n > 0) yield encodeBytes(answer(n));
}

/** Counts to the end, and lets others run in between. */
export async function numberOf(count: ReturnType<Prepared['count']>, { watch }: Call): Promise<number> {
  for (;;) {
    const { done, value } = count.next();
    if (done) return value;
    await watch.pause();
  }
}

/** The part of a pipeline that the planner runs, and the stages after it. */
export function pipelineQuery(body: Doc): { query: Query; rest: Doc[] } {
  const { filter = {}, rest, ...section } = splitPipeline((arrayField(body, 'pipeline') ?? []) as Doc[]);
  return { query: { ...common(body, ''), filter, ...section }, rest };
}

// What $lookup, $graphLookup and $unionWith read: other collections in the same view, by index where one helps.
function foreignSource(call: Call, view: View, { collation, let: variables }: Query): PipelineSource {
  const named = (name: string) => call.engine.catalog.get(namespaceFrom(call.database, name));
  return {
    async *find(name, filter, first) {
      const collection = named(name);
      if (!collection) return;
      const prepared = prepare({ filter, collation, let: variables, ...first });
      yield* documentsOf(prepared.run(view, collection, call.watch), call);
    },
    hasIndex: (name, path) => joinIndex(named(name), view.version, path) !== undefined,
  };
}

async function* documentsOf(hits: Hits, { watch }: Call): AsyncGenerator<Doc> {
  for (const hit of hits) {
    if (hit === PAUSE) await watch.pause();
    else yield hit.doc;
  }
}

async function* encoded(documents: AsyncIterable<Doc>): AsyncGenerator<Buffer> {
  for await (const document of documents) yield encodeBytes(document);
}

function* nothing(): Hits {}

async function distinct(call: Call): Promise<Doc> {
  const { body } = call;
  const path = body.key;
  if (typeof path !== 'string')
    throw storeError(14, "BSON field 'distinct.key' is the wrong type, expected type 'string'");
  const query = common(body, 'query');
  const values = new Map<string, Value>();
  const collation = compileCollation(query.collation);
  await eachHit(call, query, ({ doc }) => {
    for (const value of getPath(doc, path).flat()) {
      const name = hashKey(value, collation);
      if (!values.has(name)) values.set(name, value);
    }
  });
  return { values: await sortPaced([...values.values()], (left, right) => compare(left, right, collation)) };
}

async function count(call: Call): Promise<Doc> {
  const { body } = call;
  const query = common(body, 'query');
  const limit = Math.abs(asNumber(body.limit) ?? 0);
  const skip = notNegative(body, 'skip') ?? 0;
  const collection = collectionOf(call);
  if (collection && Object.keys(query.filter).length === 0) {
    await collection.counting;
    const rest = Math.max(0, collection.count - skip);
    return { n: int(limit > 0 ? Math.min(limit, rest) : rest) };
  }
  const prepared = prepare({ ...query, skip, limit });
  if (!collection) return { n: int(0) };
  const { view, release } = openView(call);
  try {
    return { n: int(await numberOf(prepared.count(view, collection, call.watch), call)) };
  } finally {
    release();
  }
}

async function eachHit(call: Call, query: Query, see: (hit: Hit) => void): Promise<void> {
  const prepared = prepare(query);
  const collection = collectionOf(call);
  if (!collection) return;
  const { view, release } = openView(call);
  try {
    for (const hit of prepared.run(view, collection, call.watch)) {
      if (hit === PAUSE) await call.watch.pause();
      else see(hit);
    }
  } finally {
    release();
  }
}

// What cannot be read after all (a hint that leads nowhere, a stage with a fault) leaves no snapshot open.
async function answerRead(
  call: Call,
  namespace: string,
  read: (view: View) => Source,
  batchSize: number,
  single: boolean,
): Promise<Buffer> {
  const { view, release } = openView(call);
  let source: Source;
  try {
    source = read(view);
  } catch (refusal) {
    release();
    throw refusal;
  }
  return answerCursor(call, namespace, source, release, batchSize, single);
}

/** Opens a cursor, takes its first batch, and keeps it only if there is more. */
async function answerCursor(
  call: Call,
  namespace: string,
  source: Source,
  release: () => void,
  batchSize: number,
  single: boolean,
): Promise<Buffer> {
  const { engine, session, transaction, watch, body } = call;
  const cursor = engine.cursors.open({
    namespace,
    session,
    transaction,
    watch,
    source,
    release,
    noTimeout: isOn(body.noCursorTimeout),
  });
  const { batch, done } = await cursor.take(batchSize);
  if (!done && single) cursor.close();
  return cursorReply(namespace, 'firstBatch', batch, done || single ? 0n : cursor.id, ending(call));
}

/** A cursor over a list that is complete already. */
export function listCursor(call: Call, namespace: string, documents: Doc[]): Promise<Buffer> {
  const batchSize = notNegative(documentField(call.body, 'cursor') ?? {}, 'batchSize') ?? FIRST_BATCH;
  return answerCursor(call, namespace, listed(documents, call), () => undefined, batchSize, false);
}

function* listed(documents: Doc[], { watch }: Call): Generator<Buffer | typeof PAUSE> {
  for (const document of documents) {
    if (watch.due()) yield PAUSE;
    yield encodeBytes(document);
  }
}

const emptyCursor = (call: Call, namespace: string): Buffer =>
  cursorReply(namespace, 'firstBatch', [], 0n, ending(call));

const ending = ({ engine }: Call): Buffer => engine.clock.ending();

function notNegative(body: Doc, name: string): number | undefined {
  return wholeNumber(body[name], 0, (value) =>
    storeError(51024, `BSON field '${name}' value must be >= 0, actual value '${value}'`),
  );
}
