import { type Source as PipelineSource, runPipeline, splitPipeline } from '../aggregate.ts';
import { asNumber, type Doc, getPath, isNumber, type Value } from '../bson.ts';
import { encodeBytes } from '../bytes.ts';
import type { Collection } from '../catalog.ts';
import { wrongType } from '../common-fields.ts';
import { compare, compileCollation } from '../compare.ts';
import type { Source } from '../cursors.ts';
import { type Call, openView } from '../engine.ts';
import { storeError } from '../errors.ts';
import { type Hits, PAUSE } from '../execute.ts';
import { encodeKey } from '../keystring.ts';
import { joinIndex } from '../planner.ts';
import { compileProjection } from '../project.ts';
import { type Cut, compileCut } from '../project-bytes.ts';
import { prepare, type Query, wholeNumber } from '../query.ts';
import { cursorReply, int, long } from '../reply.ts';
import { toBigInt } from '../retry-record.ts';
import type { View } from '../view.ts';
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
  const sort = documentField(body, 'sort');
  const collation = documentField(body, 'collation');
  const variables = documentField(body, 'let');
  return {
    filter: documentField(body, 'filter') ?? {},
    hint: body.hint,
    skip: notNegative(body, 'skip') ?? 0,
    limit: notNegative(body, 'limit') ?? 0,
    ...(sort && { sort }),
    ...(collation && { collation }),
    ...(variables && { let: variables }),
  };
}

async function find(call: Call): Promise<Buffer> {
  const { body } = call;
  const query = findQuery(body);
  const prepared = prepare(query);
  const projection = documentField(body, 'projection');
  const project =
    projection && Object.keys(projection).length > 0
      ? compileProjection(projection, {
          filter: query.filter,
          ...(query.let && { let: query.let }),
          ...(prepared.collation && { collation: prepared.collation }),
        })
      : undefined;
  const collection = collectionOf(call);
  if (!collection) return emptyCursor(call, namespaceOf(call));
  const { view, release } = openView(call);
  const source = bytesOf(prepared.run(view, collection, call.watch), project, projection && compileCut(projection));
  return answerCursor(call, namespaceOf(call), source, release, notNegative(body, 'batchSize') ?? FIRST_BATCH, isOn(body.singleBatch));
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
  if (cursor.transaction !== transaction) throw storeError(13, `Cannot run getMore on cursor ${cursor.id} outside of the transaction it belongs to`);
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
  const { body, engine, database, watch, now } = call;
  const namespace = namespaceOf(call);
  const cursorOptions = documentField(body, 'cursor');
  if (!cursorOptions) throw storeError(9, "The 'cursor' option is required, except for aggregate with the explain argument");
  const batchSize = notNegative(cursorOptions, 'batchSize') ?? FIRST_BATCH;
  const { rest, query } = pipelineQuery(body);
  const prepared = prepare(query);
  const collection = engine.catalog.get(namespace);
  const { view, release } = openView(call);
  const hits = collection ? prepared.run(view, collection, watch) : nothing();
  if (rest.length === 0) return answerCursor(call, namespace, bytesOf(hits), release, batchSize, false);
  const options = { now, ...(query.let && { let: query.let }), ...(prepared.collation && { collation: prepared.collation }) };
  const found = runPipeline(documentsOf(hits, call), rest, foreignSource(call, view, query), options);
  return answerCursor(call, `${database}.${body.aggregate}`, encoded(found), release, batchSize, false);
}

/** The part of a pipeline that the planner runs, and the stages after it. */
export function pipelineQuery(body: Doc): { query: Query; rest: Doc[] } {
  const { filter = {}, sort, skip, limit, rest } = splitPipeline((arrayField(body, 'pipeline') ?? []) as Doc[]);
  const collation = documentField(body, 'collation');
  const variables = documentField(body, 'let');
  const query = {
    filter,
    hint: body.hint,
    ...(sort && { sort }),
    ...(skip !== undefined && { skip }),
    ...(limit !== undefined && { limit }),
    ...(collation && { collation }),
    ...(variables && { let: variables }),
  };
  return { query, rest };
}

// What $lookup, $graphLookup and $unionWith read: other collections in the same view, by index where one helps.
function foreignSource(call: Call, view: View, { collation, let: variables }: Query): PipelineSource {
  const named = (name: string) => call.engine.catalog.get(namespaceFrom(call.database, name));
  return {
    async *find(name, filter) {
      const collection = named(name);
      if (!collection) return;
      const prepared = prepare({ filter, ...(collation && { collation }), ...(variables && { let: variables }) });
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
  if (typeof path !== 'string') throw storeError(14, "BSON field 'distinct.key' is the wrong type, expected type 'string'");
  const collation = documentField(body, 'collation');
  const values = new Map<string, Value>();
  const compiled = compileCollation(collation);
  await eachHit(call, { filter: documentField(body, 'query') ?? {}, hint: body.hint, ...(collation && { collation }) }, (doc) => {
    for (const value of getPath(doc, path).flatMap((found) => (Array.isArray(found) ? found : [found]))) {
      const representative = compiled && typeof value === 'string' ? compiled.representative(value) : value;
      const name = encodeKey([representative], [1]).toString('latin1');
      if (!values.has(name)) values.set(name, value);
    }
  });
  return { values: [...values.values()].sort((left, right) => compare(left, right, compiled)) };
}

async function count(call: Call): Promise<Doc> {
  const { body } = call;
  const filter = documentField(body, 'query') ?? {};
  const collation = documentField(body, 'collation');
  const limit = Math.abs(asNumber(body.limit) ?? 0);
  const skip = notNegative(body, 'skip') ?? 0;
  const collection = collectionOf(call);
  if (collection && Object.keys(filter).length === 0) {
    await collection.counting;
    const rest = Math.max(0, collection.count - skip);
    return { n: int(limit > 0 ? Math.min(limit, rest) : rest) };
  }
  let n = 0;
  await eachHit(call, { filter, hint: body.hint, skip, limit, ...(collation && { collation }) }, () => {
    n++;
  });
  return { n: int(n) };
}

async function eachHit(call: Call, query: Query, see: (doc: Doc) => void): Promise<void> {
  const prepared = prepare(query);
  const collection: Collection | undefined = collectionOf(call);
  if (!collection) return;
  const { view, release } = openView(call);
  try {
    for (const hit of prepared.run(view, collection, call.watch)) {
      if (hit === PAUSE) await call.watch.pause();
      else see(hit.doc);
    }
  } finally {
    release();
  }
}

/** Opens a cursor, takes its first batch, and keeps it only if there is more. */
async function answerCursor(call: Call, namespace: string, source: Source, release: () => void, batchSize: number, single: boolean): Promise<Buffer> {
  const { engine, session, transaction, watch, body } = call;
  const cursor = engine.cursors.open({ namespace, session, transaction, watch, source, release, noTimeout: isOn(body.noCursorTimeout) });
  const { batch, done } = await cursor.take(batchSize);
  if (!done && single) cursor.close();
  return cursorReply(namespace, 'firstBatch', batch, done || single ? 0n : cursor.id, ending(call));
}

/** A cursor over a list that is complete already. */
export function listCursor(call: Call, namespace: string, documents: Doc[]): Promise<Buffer> {
  const batchSize = notNegative(documentField(call.body, 'cursor') ?? {}, 'batchSize') ?? FIRST_BATCH;
  return answerCursor(call, namespace, documents.map(encodeBytes).values(), () => undefined, batchSize, false);
}

const emptyCursor = (call: Call, namespace: string): Buffer => cursorReply(namespace, 'firstBatch', [], 0n, ending(call));

const ending = ({ engine }: Call): Buffer => engine.clock.ending();

function notNegative(body: Doc, name: string): number | undefined {
  return wholeNumber(body[name], 0, (value) => storeError(51024, `BSON field '${name}' value must be >= 0, actual value '${value}'`));
}
