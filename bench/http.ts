// API overhead of the whole service: REST reads and writes and GraphQL across subgraphs, compared to hand-written
// Fastify routes with the same store, commands and responses. CPU time of the server thread per request; a ratio of 1
// means no overhead. Run: `node launch.mjs bench/http.ts`.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import Fastify from 'fastify';
import { Pool } from 'undici';
import { collection } from '../subgraphs/core/store/query/scope.ts';
import type { ArtifactRecord, FolderRecord } from '../subgraphs/core/store/schema/collections.ts';
import { inTransaction, type RequestContext } from '../subgraphs/core/work.ts';
import { createFolder } from '../subgraphs/documents/folders/create-folder.ts';
import { startPdm } from '../test/support/pdm.ts';

const ROUNDS = 5;
const CONCURRENCY = 8;
const DOCUMENTS = 50;
const ACROSS_SUBGRAPHS = `query Across { documents(limit: ${DOCUMENTS}, sort: number) { items { id number name drafts { id name artifacts { kind fileName size } } } } }`;

type Servers = { service: string; handWritten: string; token: string; artifacts: string[] };
type Case = {
  name: string;
  target: number;
  requests: number;
  method: 'GET' | 'POST';
  path: (servers: Servers, n: number) => string;
  /** With a parameter, each request gets its own number. */
  body?: (n: number) => object;
};

const CASES: Case[] = [
  {
    name: 'REST: read the metadata of a file',
    target: 0.6,
    requests: 300,
    method: 'GET',
    path: ({ artifacts }, n) => `/api/v1/artifacts/${artifacts[n % artifacts.length]}`,
  },
  {
    name: 'REST: create a folder',
    target: 0.6,
    requests: 16,
    method: 'POST',
    path: () => '/api/v1/folders',
    body: (n) => ({ name: `Folder ${n}` }),
  },
  {
    name: `GraphQL: ${DOCUMENTS} documents, three subgraphs`,
    target: 0.3,
    requests: 40,
    method: 'POST',
    path: () => '/graphql',
    body: () => ({ query: ACROSS_SUBGRAPHS }),
  },
];

if (isMainThread) await measure();
else await serve();

async function serve(): Promise<void> {
  const pdm = await startPdm();
  const { editor, services, tokens, url } = pdm;
  const artifacts: string[] = [];
  for (let n = 0; n < DOCUMENTS; n++) {
    const { body } = await editor.post('/documents', { name: `Part ${n}`, kind: 'model' });
    artifacts.push((await editor.upload(body.drafts[0].id, 'attachment.note', `note ${n}`)).body.id);
  }
  const { body: me } = await editor.get('/me');
  const app = handWrittenApp(services, tokens.editor, me);
  const servers: Servers = {
    service: url,
    handWritten: await app.listen({ port: 0, host: '127.0.0.1' }),
    token: tokens.editor,
    artifacts,
  };
  parentPort?.postMessage(servers);
  await once(parentPort!, 'message');
  await app.close();
  await pdm.close();
  parentPort?.close();
}

/** The same responses from one query per collection, without schema, query plan or validation. */
function handWrittenApp(
  services: Parameters<typeof inTransaction>[0],
  token: string,
  me: { id: string; name: string },
): ReturnType<typeof Fastify> {
  const scope = { db: services.mongo.db };
  const app = Fastify();
  app.addHook('onRequest', async ({ headers }, reply) => {
    if (headers.authorization !== `Bearer ${token}`) return reply.code(401).send();
  });
  const toArtifact = (
    { _id, documentId: _documentId, createdBy, ...rest }: ArtifactRecord,
    name: string | undefined,
  ) => ({
    id: _id,
    ...rest,
    createdBy: { id: createdBy, name: name ?? 'unknown' },
    url: `/api/v1/artifacts/${_id}/file`,
  });
  app.get<{ Params: { id: string } }>('/api/v1/artifacts/:id', async ({ params }, reply) => {
    const found = await collection(scope, 'artifacts').findOne({ _id: params.id });
    if (!found) return reply.code(404).send();
    const user = await collection(scope, 'users').findOne({ _id: found.createdBy });
    return toArtifact(found, user?.name);
  });
  app.post<{ Body: { name: string } }>('/api/v1/folders', async ({ body }, reply) => {
    const actor = { id: me.id, name: me.name, role: 'editor', tokenId: null, via: 'token' } as const;
    const request: RequestContext = {
      actor,
      requestId: 'bench',
      route: 'POST /api/v1/folders',
      signal: new AbortController().signal,
    };
    const {
      _id,
      lock: _lock,
      nameKey: _key,
      ...folder
    }: FolderRecord & { path: string } = await inTransaction(services, request, createFolder, body);
    const documentCount = await collection(scope, 'documents').countDocuments({ folderId: _id, archived: false });
    return reply.code(201).send({ id: _id, ...folder, documentCount });
  });
  app.post('/graphql', async () => {
    const documents = await collection(scope, 'documents').find().sort({ number: 1 }).limit(DOCUMENTS).toArray();
    const ids = documents.map(({ _id }) => _id);
    const drafts = await collection(scope, 'versions')
      .find({ documentId: { $in: ids }, type: 'draft' })
      .toArray();
    const files = await collection(scope, 'artifacts')
      .find({ versionId: { $in: drafts.map(({ _id }) => _id) } })
      .toArray();
    const filesOf = Map.groupBy(files, ({ versionId }) => versionId);
    const draftsOf = Map.groupBy(drafts, ({ documentId }) => documentId);
    const items = documents.map(({ _id: id, number, name }) => ({
      id,
      number,
      name,
      drafts: (draftsOf.get(id) ?? []).map(({ _id, name }) => ({
        id: _id,
        name,
        artifacts: (filesOf.get(_id) ?? []).map(({ kind, fileName, size }) => ({ kind, fileName, size })),
      })),
    }));
    return { data: { documents: { items } } };
  });
  return app;
}

async function measure(): Promise<void> {
  const server = new Worker(new URL(import.meta.url));
  const [servers]: Servers[] = await once(server, 'message');
  if (!servers) throw new Error('the service did not start');
  const pools = {
    service: new Pool(servers.service, { connections: CONCURRENCY }),
    handWritten: new Pool(servers.handWritten, { connections: CONCURRENCY }),
  };
  let created = 0;
  const send = async (
    target: keyof typeof pools,
    { method, path, body: bodyOf }: Case,
    n: number,
  ): Promise<{ status: number; body: Record<string, unknown> }> => {
    const headers = {
      authorization: `Bearer ${servers.token}`,
      'accept-encoding': 'identity',
      ...(bodyOf ? { 'content-type': 'application/json' } : {}),
    };
    // A body with a parameter creates a record, whose name must be unique across rounds and targets.
    const body = bodyOf && JSON.stringify(bodyOf(bodyOf.length ? created++ : n));
    const response = await pools[target].request({ method, path: path(servers, n), headers, body });
    return { status: response.statusCode, body: (await response.body.json()) as Record<string, unknown> };
  };
  const cost = async (target: keyof typeof pools, test: Case): Promise<number> => {
    const before = await server.cpuUsage();
    let sent = 0;
    const client = async () => {
      while (sent < test.requests) await send(target, test, sent++);
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, client));
    const { user, system } = await server.cpuUsage(before);
    return (user + system) / test.requests;
  };

  for (const test of CASES) {
    for (let n = 0; n < 3; n++) {
      const [actual, expected] = [await send('service', test, n), await send('handWritten', test, n)];
      assert.equal(actual.status, expected.status);
      assert.deepEqual(comparable(actual.body), comparable(expected.body));
    }
    const rounds: { service: number; handWritten: number }[] = [];
    for (let round = 0; round < ROUNDS; round++)
      rounds.push({ service: await cost('service', test), handWritten: await cost('handWritten', test) });
    const service = median(rounds.map((round) => round.service));
    const handWritten = median(rounds.map((round) => round.handWritten));
    const ratio = handWritten / service;
    console.log(
      `${test.name}: ${handWritten.toFixed(0)} µs hand-written, ${service.toFixed(0)} µs through the service, ratio ${ratio.toFixed(2)} (target: ≥ ${test.target})${ratio < test.target ? ': MISSED' : ''}`,
    );
  }
  await Promise.all([pools.service.close(), pools.handWritten.close()]);
  server.postMessage('end');
  await once(server, 'exit');
}

// Removes ids, names and times of created folders, and the extensions, which only the service returns.
function comparable(body: Record<string, unknown>): unknown {
  const { extensions: _extensions, ...rest } = body;
  if (!('documentCount' in rest)) return rest;
  const { id: _id, name: _name, path: _path, createdAt: _createdAt, updatedAt: _updatedAt, ...folder } = rest;
  return folder;
}

function median(values: number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;
}
