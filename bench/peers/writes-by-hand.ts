// Writes by hand for bench/writes.ts: Fastify and the MongoDB driver, without schema, validation, permissions or
// idempotency. Each write is one transaction of the change, its audit record and the head of its chain. Run with the
// data folder and the name of the database; sends its URL and the address of its database to the parent process.
import assert from 'node:assert/strict';
import { hash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Mutex } from 'async-mutex';
import Fastify from 'fastify';
import { type ClientSession, MongoClient } from 'mongodb';
import { startStore } from '../../embedded/process/supervisor.ts';
import { withDatabase } from '../../test/support/split.ts';

/** As the service connects. */
export const DRIVER = { maxPoolSize: 64, writeConcern: { w: 'majority', journal: true } } as const;
const COUNTER = { upsert: true, returnDocument: 'after' } as const;

if (import.meta.main) await serve();

async function serve(): Promise<void> {
  process.once('disconnect', () => process.exit()); // also if the parent process fails
  const [dataDir = '', database = ''] = process.argv.slice(2);
  const { MONGODB_URL } = process.env;
  const store = MONGODB_URL ? null : await startStore({ dataDir, log: () => {}, onFatal: assert.fail });
  const uri = withDatabase(MONGODB_URL ?? store?.uri ?? '', database);
  const client = await MongoClient.connect(uri, DRIVER);
  const collections = ['documents', 'workspaces', 'versions', 'folders', 'counters', 'audit', 'chains'] as const;
  const indexes: Record<string, object[]> = {
    documents: [{ number: 1 }, { folderId: 1, updatedAt: -1 }],
    workspaces: [{ documentId: 1 }],
    versions: [{ documentId: 1, n: -1 }],
    folders: [{ parentId: 1, name: 1 }],
    audit: [{ chain: 1, chainSeq: -1 }, { at: -1 }, { action: 1, at: -1 }],
  };
  const db = client.db();
  for (const name of collections) {
    await db.createCollection(name);
    for (const index of indexes[name] ?? []) await db.collection(name).createIndex(index as Record<string, 1>);
  }
  const of = (name: (typeof collections)[number]) => db.collection<Stored>(name);

  // One process is the only writer: it has the heads of the chains in memory and queues the writes of a chain.
  const chains = new Map<string, { mutex: Mutex; chainSeq: number; hash: string }>();
  async function inTransaction<T>(chain: string, action: string, change: (session: ClientSession) => Promise<T>) {
    const head = chains.get(chain) ?? { mutex: new Mutex(), chainSeq: 0, hash: '' };
    chains.set(chain, head);
    return head.mutex.runExclusive(async () => {
      const { chainSeq } = head;
      const audited = record('audit', action, { chain, chainSeq: chainSeq + 1, prevHash: head.hash });
      const next = { chainSeq: chainSeq + 1, hash: hash('sha256', head.hash + JSON.stringify(audited)) };
      const result = await client.withSession((session) =>
        session.withTransaction(async () => {
          const changed = await change(session);
          await of('audit').insertOne({ ...audited, hash: next.hash }, { session });
          const isHead = chainSeq ? { _id: chain, chainSeq } : { _id: chain };
          await of('chains').updateOne(isHead, { $set: next }, { session, upsert: true });
          return changed;
        }),
      );
      Object.assign(head, next);
      return result;
    });
  }

  const app = Fastify();
  app.addHook('onRequest', async ({ headers }, reply) => {
    if (headers.authorization !== 'Bearer token') return reply.code(401).send();
  });
  type Posted<P = unknown> = { Body: { name: string; parentId?: string }; Params: P };
  app.post<Posted>('/api/v1/documents', async ({ body }, reply) => {
    // Numbers may have gaps: the counter is not part of the transaction, so that creations do not wait for each other.
    const count = await of('counters').findOneAndUpdate({ _id: 'PRT' }, { $inc: { n: 1 } }, COUNTER);
    const number = `PRT-${String(count?.n).padStart(6, '0')}`;
    const document = record('documents', body.name, { number, folderId: null, versions: 0 });
    const draft = record('versions', 'draft', { documentId: document._id, n: null, basedOn: null });
    const workspace = record('workspaces', 'main', { documentId: document._id, draftId: draft._id });
    await inTransaction(document._id, `Document ${number} was created.`, async (session) => {
      await of('documents').insertOne(document, { session });
      await of('workspaces').insertOne(workspace, { session });
      await of('versions').insertOne(draft, { session });
    });
    return reply.code(201).send({ ...shown(document), workspaces: [shown(workspace)], drafts: [shown(draft)] });
  });
  app.patch<Posted<{ id: string }>>('/api/v1/documents/:id', async ({ params: { id }, body: { name } }) => {
    const change = { $set: { name, updatedAt: new Date() }, $inc: { lock: 1 } };
    const changed = await inTransaction(id, `The name was changed to ${name}.`, (session) =>
      of('documents').findOneAndUpdate({ _id: id }, change, { session, returnDocument: 'after' }),
    );
    return changed && shown(changed);
  });
  app.post<Posted<{ id: string }>>('/api/v1/workspaces/:id/versions', async ({ params: { id } }, reply) => {
    const workspace = await of('workspaces').findOne({ _id: id });
    const { documentId, draftId } = workspace as Stored & { documentId: string; draftId: string };
    const version = await inTransaction(documentId, 'A version was created.', async (session) => {
      const count = { $inc: { versions: 1, lock: 1 } };
      const document = await of('documents').findOneAndUpdate({ _id: documentId }, count, { session, ...COUNTER });
      const created = record('versions', `V${document?.versions}`, { documentId, n: document?.versions });
      await of('versions').insertOne(created, { session });
      await of('versions').updateOne({ _id: draftId }, { $set: { basedOn: created._id } }, { session });
      return created;
    });
    return reply.code(201).send(shown(version));
  });
  app.post<Posted>('/api/v1/folders', async ({ body: { name, parentId = null } }, reply) => {
    const folder = record('folders', name, { parentId });
    await inTransaction('folders', `Folder "${name}" was created.`, (session) =>
      of('folders').insertOne(folder, { session }),
    );
    return reply.code(201).send(shown(folder));
  });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  process.send?.({ url, uri });
  await once(process, 'message');
  await app.close();
  await client.close();
  await store?.stop();
  process.disconnect();
}

/** The fields that some collections have and others do not are optional. */
export type Stored = {
  _id: string;
  name: string;
  lock: number;
  at: Date;
  by: object;
  createdAt: Date;
  updatedAt: Date;
  documentId?: string;
  draftId?: string;
  basedOn?: string | null;
  parentId?: string | null;
  number?: string;
  n?: number | null;
  versions?: number;
  chainSeq?: number;
  hash?: string;
};

/** A record of about the size of those of the service. */
export function record(prefix: string, name: string, fields: object = {}): Stored {
  const at = new Date();
  const by = { id: 'usr_01kah0e4w7fqvb8m2cd5n9txzr', role: 'admin', via: 'token', tokenId: 'tok_01kah0e4w7fqvb8m2c' };
  return { _id: `${prefix}_${randomUUID()}`, name, lock: 0, at, createdAt: at, updatedAt: at, by, ...fields };
}

function shown({ _id, ...rest }: Stored): object {
  return { id: _id, ...rest };
}
