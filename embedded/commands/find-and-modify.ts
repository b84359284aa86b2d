// The findAndModify command.

import { removeDocument } from '../data/records.ts';
import { compileProjection } from '../pipeline/project.ts';
import type { Call } from '../process/store.ts';
import { storeError } from '../protocol/errors.ts';
import { int } from '../protocol/reply.ts';
import type { PreparedQuery } from '../query/query.ts';
import type { WriteView } from '../storage/view.ts';
import { type Doc, decode, Encoded, isTruthy } from '../values/bson.ts';
import { type Commands, documentField, getOrCreateCollection, namespaceOf } from './command.ts';
import {
  compileStatementUpdate,
  insertUpsert,
  prepareStatement,
  type Statement,
  writeFirstMatch,
  writeUpdated,
} from './statements.ts';
import type { Steps } from './write-steps.ts';

export const findAndModifyCommands: Commands = {
  findAndModify: { kind: 'write', run: findAndModify },
  findandmodify: { kind: 'write', run: findAndModify },
};

function* findAndModify(call: Call, view: WriteView): Steps<Doc> {
  const { body } = call;
  const isRemove = isTruthy(body.remove);
  validateOptions(body, isRemove);
  const filter = documentField(body, 'query') ?? {};
  const variables = documentField(body, 'let');
  const statement = { filter, options: body, variables };
  const query = prepareStatement(statement, 1);
  const createReply = createReplyFunction(body, query, variables);
  return yield* isRemove
    ? findAndRemove(call, view, query, createReply)
    : findAndUpdate(call, view, query, statement, createReply);
}

type CreateReply = (document: Buffer | null, lastErrorObject: Doc) => Doc;

function* findAndRemove(call: Call, view: WriteView, query: PreparedQuery, createReply: CreateReply): Steps<Doc> {
  const collection = call.store.catalog.get(namespaceOf(call));
  if (!collection) return createReply(null, { n: int(0) });
  return yield* writeFirstMatch(call, view, collection, query, (hit) => {
    if (!hit) return createReply(null, { n: int(0) });
    removeDocument(view, collection, hit.record, hit.doc);
    return createReply(hit.bytes, { n: int(1) });
  });
}

function* findAndUpdate(
  call: Call,
  view: WriteView,
  query: PreparedQuery,
  statement: Statement,
  createReply: CreateReply,
): Steps<Doc> {
  const { body, store } = call;
  const namespace = namespaceOf(call);
  const upsert = isTruthy(body.upsert);
  const compiled = compileStatementUpdate(call, body.update, statement);
  const collection = upsert ? getOrCreateCollection(call, view, namespace) : store.catalog.get(namespace);
  if (!collection) return createReply(null, { n: int(0), updatedExisting: false });
  return yield* writeFirstMatch(call, view, collection, query, (hit) => {
    if (hit) {
      const after = writeUpdated(view, collection, hit, compiled.apply(hit.doc));
      return createReply(isTruthy(body.new) ? after : hit.bytes, { n: int(1), updatedExisting: true });
    }
    if (!upsert) return createReply(null, { n: int(0), updatedExisting: false });
    const inserted = insertUpsert(view, collection, compiled, statement.filter);
    return createReply(isTruthy(body.new) ? inserted.bytes : null, {
      n: int(1),
      updatedExisting: false,
      upserted: inserted._id,
    });
  });
}

function createReplyFunction(body: Doc, { collation }: PreparedQuery, variables: Doc | undefined): CreateReply {
  const projection = documentField(body, 'fields') ?? documentField(body, 'projection');
  const project =
    projection &&
    compileProjection(projection, { ...(variables && { let: variables }), ...(collation && { collation }) });
  return (document, lastErrorObject) => ({
    lastErrorObject,
    value: document && (project ? project(decode(document)) : new Encoded(document)),
  });
}

function validateOptions(body: Doc, isRemove: boolean): void {
  if (isRemove && body.update !== undefined) throw storeError(9, 'Cannot specify both an update and remove=true');
  if (!isRemove && body.update === undefined) throw storeError(9, 'Either an update or remove=true must be specified');
  if (isRemove && isTruthy(body.new))
    throw storeError(9, "Cannot specify both new=true and remove=true; 'remove' always returns the deleted document");
  if (isRemove && isTruthy(body.upsert)) throw storeError(9, 'Cannot specify both upsert=true and remove=true');
}
