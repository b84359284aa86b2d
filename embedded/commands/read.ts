// The commands that read documents: find, aggregate, count and distinct, and the commands for their cursors.
import { countResultOf, type Source as PipelineSource, runPipeline, splitPipeline } from '../pipeline/aggregate.ts';
import { compileProjection } from '../pipeline/project.ts';
import { type BytesProjection, compileBytesProjection } from '../pipeline/project-bytes.ts';
import { type Call, openView } from '../process/store.ts';
import { storeError } from '../protocol/errors.ts';
import { LIMITS } from '../protocol/limits.ts';
import { encodeCursorReply, int, long } from '../protocol/reply.ts';
import { checkInteger } from '../protocol/validate.ts';
import type { Source } from '../query/cursors.ts';
import { type Hit, type Hits, PAUSE } from '../query/execute.ts';
import { mergeSort, runPaused } from '../query/merge-sort.ts';
import { joinIndex } from '../query/planner.ts';
import { integerField, type PreparedQuery, prepareQuery, type Query } from '../query/query.ts';
import { toBigInt } from '../storage/retry-record.ts';
import type { View } from '../storage/view.ts';
import { asNumber, type Doc, getPath, isTruthy, type Value } from '../values/bson.ts';
import { encodeBytes } from '../values/bytes.ts';
import { compare, compileCollation } from '../values/compare.ts';
import { hashKey } from '../values/hash-key.ts';
import { sizeOf } from '../values/memory.ts';
import { arrayField, type Commands, collectionOf, documentField, namespaceOf, toNamespace } from './command.ts';

const FIRST_BATCH = 101;

export const readCommands: Commands = {
  find: { kind: 'plain', run: find, inTransaction: true },
  getMore: { kind: 'plain', run: getMore, inTransaction: true },
  killCursors: { kind: 'plain', run: killCursors, inTransaction: true },
  aggregate: { kind: 'plain', run: aggregate, inTransaction: true },
  distinct: { kind: 'plain', run: distinct, inTransaction: true },
  count: { kind: 'plain', run: count },
};

/** Returns the validated query of a find command. */
export function findQuery(body: Doc): Query {
  return {
    ...commonFields(body, 'filter'),
    sort: documentField(body, 'sort'),
    skip: nonNegativeField(body, 'skip'),
    limit: nonNegativeField(body, 'limit'),
  };
}

// Reads the fields that all reading commands have in common.
function commonFields(body: Doc, filter: string): Query {
  const fields = { filter: documentField(body, filter) ?? {}, hint: body.hint };
  return { ...fields, collation: documentField(body, 'collation'), let: documentField(body, 'let') };
}

async function find(call: Call): Promise<Buffer> {
  const { body } = call;
  const query = findQuery(body);
  const prepared = prepareQuery(query);
  const projection = documentField(body, 'projection') ?? {};
  const isProjected = Object.keys(projection).length > 0;
  const project = isProjected ? compileProjection(projection, { ...query, collation: prepared.collation }) : undefined;
  const collection = collectionOf(call);
  if (!collection) return emptyCursor(call, namespaceOf(call));
  const copyFields = isProjected ? compileBytesProjection(projection) : undefined;
  const batchSize = nonNegativeField(body, 'batchSize') ?? FIRST_BATCH;
  const read = (view: View) => encodeHits(prepared.run(view, collection, call.timeSlice), project, copyFields);
  return openReadCursor(call, namespaceOf(call), read, batchSize, isTruthy(body.singleBatch));
}

function* encodeHits(
  hits: Hits,
  project?: (doc: Doc) => Doc,
  copyFields?: BytesProjection,
): Generator<Buffer | typeof PAUSE> {
  for (const hit of hits) {
    if (hit === PAUSE) yield PAUSE;
    else if (!project) yield hit.bytes;
    else yield copyFields?.(hit.bytes) ?? encodeResult(project(hit.doc));
  }
}

async function getMore(call: Call): Promise<Buffer> {
  const { body, store, database, session, transaction } = call;
  const namespace = toNamespace(database, body.collection);
  const cursor = store.cursors.get(toBigInt(body.getMore), namespace);
  if (cursor.session !== session && cursor.session !== undefined)
    throw storeError(13, `Cannot run getMore on cursor ${cursor.id} of another session`);
  if (cursor.transaction !== transaction)
    throw storeError(13, `Cannot run getMore on cursor ${cursor.id} outside of the transaction it belongs to`);
  const { batch, done } = await cursor.readBatch(nonNegativeField(body, 'batchSize') || Number.POSITIVE_INFINITY);
  return encodeCursorReply(namespace, 'nextBatch', batch, done ? 0n : cursor.id, replyEnd(call));
}

function killCursors({ body, store }: Call): Doc {
  const killed: Value[] = [];
  const missing: Value[] = [];
  for (const [n, id] of (arrayField(body, 'cursors') ?? []).entries()) {
    checkInteger(`killCursors.cursors.${n}`, id);
    (store.cursors.kill(toBigInt(id)) ? killed : missing).push(long(toBigInt(id)));
  }
  return { cursorsKilled: killed, cursorsNotFound: missing, cursorsAlive: [], cursorsUnknown: [] };
}

async function aggregate(call: Call): Promise<Buffer> {
  const { body, store, timeSlice, now } = call;
  const namespace = namespaceOf(call);
  const cursorOptions = documentField(body, 'cursor');
  if (!cursorOptions)
    throw storeError(9, "The 'cursor' option is required, except for aggregate with the explain argument");
  const batchSize = nonNegativeField(cursorOptions, 'batchSize') ?? FIRST_BATCH;
  const { rest, query } = pipelineQuery(body);
  const prepared = prepareQuery(query);
  const collection = store.catalog.get(namespace);
  const options = { now, let: query.let, collation: prepared.collation };
  const counting = countResultOf(rest);
  const read = (view: View): Source => {
    if (counting && collection) return encodeCount(prepared.count(view, collection, timeSlice), counting, call);
    const hits = collection ? prepared.run(view, collection, timeSlice) : noHits();
    return rest.length === 0
      ? encodeHits(hits)
      : encodeDocuments(runPipeline(decodeHits(hits, call), rest, createForeignSource(call, view, query), options));
  };
  return openReadCursor(call, namespace, read, batchSize, false);
}

// Yields no document for a count of 0, like a $group of no documents.
async function* encodeCount(
  count: ReturnType<PreparedQuery['count']>,
  toDocument: (count: number) => Doc,
  call: Call,
): AsyncGenerator<Buffer> {
  const n = await runPaused(count, call.timeSlice);
  if (n > 0) yield encodeBytes(toDocument(n));
}

/** Splits a pipeline into the query that the planner runs and the remaining stages. */
export function pipelineQuery(body: Doc): { query: Query; rest: Doc[] } {
  const { filter = {}, rest, ...section } = splitPipeline((arrayField(body, 'pipeline') ?? []) as Doc[]);
  return { query: { ...commonFields(body, ''), filter, ...section }, rest };
}

// Gives $lookup access to other collections in the same view.
function createForeignSource(call: Call, view: View, { collation, let: variables }: Query): PipelineSource {
  const findCollection = (name: string) => call.store.catalog.get(toNamespace(call.database, name));
  return {
    async *find(name, filter, first) {
      const collection = findCollection(name);
      if (!collection) return;
      const prepared = prepareQuery({ filter, collation, let: variables, ...first });
      yield* decodeHits(prepared.run(view, collection, call.timeSlice), call);
    },
    hasIndex: (name, path) => joinIndex(findCollection(name), view.version, path) !== undefined,
  };
}

async function* decodeHits(hits: Hits, { timeSlice }: Call): AsyncGenerator<Doc> {
  for (const hit of hits) {
    if (hit === PAUSE) await timeSlice.pause();
    else yield hit.doc;
  }
}

async function* encodeDocuments(documents: AsyncIterable<Doc>): AsyncGenerator<Buffer> {
  for await (const document of documents) yield encodeResult(document);
}

function encodeResult(document: Doc): Buffer {
  const bytes = encodeBytes(document);
  if (bytes.length > LIMITS.documentBytes)
    throw storeError(
      10334,
      `BSONObj size: ${bytes.length} is invalid. Size must be between 0 and ${LIMITS.documentBytes}`,
    );
  return bytes;
}

function* noHits(): Hits {}

async function distinct(call: Call): Promise<Doc> {
  const { body } = call;
  const path = String(body.key);
  const query = commonFields(body, 'query');
  const values = new Map<string, Value>();
  const collation = compileCollation(query.collation);
  let size = 0;
  await forEachHit(call, query, ({ doc }) => {
    for (const value of getPath(doc, path).flat()) {
      const name = hashKey(value, collation);
      if (values.has(name)) continue;
      values.set(name, value);
      size += sizeOf(value);
      if (size > LIMITS.documentBytes) throw tooBig();
    }
  });
  // `sizeOf` counts a character of several bytes as one.
  const mayBeTooBig = 3 * size > LIMITS.documentBytes;
  if (mayBeTooBig && encodeBytes({ values: [...values.values()] }).length > LIMITS.documentBytes) throw tooBig();
  const order = (left: Value, right: Value) => compare(left, right, collation);
  const sorting = mergeSort([...values.values()], order, call.timeSlice.shouldPause);
  return { values: await runPaused(sorting, call.timeSlice) };
}

const tooBig = () => storeError(17217, 'distinct too big, 16mb cap');

async function count(call: Call): Promise<Doc> {
  const { body } = call;
  const query = commonFields(body, 'query');
  const limit = Math.abs(asNumber(body.limit) ?? 0);
  const skip = nonNegativeField(body, 'skip') ?? 0;
  const collection = collectionOf(call);
  if (collection && Object.keys(query.filter).length === 0 && query.hint === undefined) {
    await collection.counting;
    const remaining = Math.max(0, collection.count - skip);
    return { n: int(limit > 0 ? Math.min(limit, remaining) : remaining) };
  }
  const prepared = prepareQuery({ ...query, skip, limit });
  if (!collection) return { n: int(0) };
  const { view, release } = openView(call);
  try {
    return { n: int(await runPaused(prepared.count(view, collection, call.timeSlice), call.timeSlice)) };
  } finally {
    release();
  }
}

async function forEachHit(call: Call, query: Query, visit: (hit: Hit) => void): Promise<void> {
  const prepared = prepareQuery(query);
  const collection = collectionOf(call);
  if (!collection) return;
  const { view, release } = openView(call);
  try {
    for (const hit of prepared.run(view, collection, call.timeSlice)) {
      if (hit === PAUSE) await call.timeSlice.pause();
      else visit(hit);
    }
  } finally {
    release();
  }
}

// Closes the view if the source cannot be created, for example because of an unknown hint.
async function openReadCursor(
  call: Call,
  namespace: string,
  read: (view: View) => Source,
  batchSize: number,
  singleBatch: boolean,
): Promise<Buffer> {
  const { view, release } = openView(call);
  let source: Source;
  try {
    source = read(view);
  } catch (error) {
    release();
    throw error;
  }
  return openCursor(call, namespace, source, release, batchSize, singleBatch);
}

// Opens a cursor and returns its first batch. The cursor stays open only if there are more documents.
async function openCursor(
  call: Call,
  namespace: string,
  source: Source,
  release: () => void,
  batchSize: number,
  singleBatch: boolean,
): Promise<Buffer> {
  const { store, session, transaction, timeSlice, body } = call;
  const cursor = store.cursors.open({
    namespace,
    session,
    transaction,
    timeSlice,
    source,
    release,
    noTimeout: isTruthy(body.noCursorTimeout),
  });
  const { batch, done } = await cursor.readBatch(batchSize);
  if (!done && singleBatch) cursor.close();
  return encodeCursorReply(namespace, 'firstBatch', batch, done || singleBatch ? 0n : cursor.id, replyEnd(call));
}

/** Returns a cursor over a complete list. */
export function openListCursor(call: Call, namespace: string, documents: Doc[]): Promise<Buffer> {
  const batchSize = nonNegativeField(documentField(call.body, 'cursor') ?? {}, 'batchSize') ?? FIRST_BATCH;
  return openCursor(call, namespace, encodeList(documents, call), () => undefined, batchSize, false);
}

function* encodeList(documents: Doc[], { timeSlice }: Call): Generator<Buffer | typeof PAUSE> {
  for (const document of documents) {
    if (timeSlice.shouldPause()) yield PAUSE;
    yield encodeBytes(document);
  }
}

const emptyCursor = (call: Call, namespace: string): Buffer =>
  encodeCursorReply(namespace, 'firstBatch', [], 0n, replyEnd(call));

const replyEnd = ({ store }: Call): Buffer => store.clock.encodedReplyEnd();

function nonNegativeField(body: Doc, name: string): number | undefined {
  return integerField(body[name], 0, (value) =>
    storeError(51024, `BSON field '${name}' value must be >= 0, actual value '${value}'`),
  );
}
