// What the faces cost on the whole service: REST reads and writes, GraphQL across subgraphs, against routes written by hand
// on bare Fastify with the same store, the same commands and the same answers. CPU time of the serving thread per request; 1
// = as cheap as by hand. Run by `node launch.mjs bench/http.ts`.
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
const AT_ONCE = 8;
const DOCUMENTS = 50;
const ACROSS = `query Across { documents(limit: ${DOCUMENTS}, sort: number) { items { id number name drafts { id name artifacts { kind fileName size } } } } }`;

type Place = { face: string; hand: string; token: string; artifacts: string[] };
type Case = {
  name: string;
  aim: number;
  requests: number;
  method: 'GET' | 'POST';
  path: (place: Place, n: number) => string;
  body?: (n: number) => object;
};

const CASES: Case[] = [
  {
    name: 'REST: read the record of a file',
    aim: 0.6,
    requests: 300,
    method: 'GET',
    path: ({ artifacts }, n) => `/api/v1/artifacts/${artifacts[n % artifacts.length]}`,
  },
  {
    name: 'REST: create a folder',
    aim: 0.6,
    requests: 16,
    method: 'POST',
    path: () => '/api/v1/folders',
    body: (n) => ({ name: `Folder ${n}` }),
  },
  {
    name: `GraphQL: ${DOCUMENTS} documents, three subgraphs`,
    aim: 0.3,
    requests: 40,
    method: 'POST',
    path: () => '/graphql',
    body: () => ({ query: ACROSS }),
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
  const hand = byHand(services, tokens.editor, me);
  const place: Place = {
    face: url,
    hand: await hand.listen({ port: 0, host: '127.0.0.1' }),
    token: tokens.editor,
    artifacts,
  };
  parentPort?.postMessage(place);
  await once(parentPort!, 'message');
  await hand.close();
  await pdm.close();
  parentPort?.close();
}

/** The same answers by hand: one query for each collection, no schema, no plan, no check of the input. */
function byHand(
  services: Parameters<typeof inTransaction>[0],
  token: string,
  me: { id: string; name: string },
): ReturnType<typeof Fastify> {
  const scope = { db: services.mongo.db };
  const app = Fastify();
  app.addHook('onRequest', async ({ headers }, reply) => {
    if (headers.authorization !== `Bearer ${token}`) return reply.code(401).send();
  });
  const artifactOf = (
    { _id, documentId: _documentId, createdBy, ...rest }: ArtifactRecord,
    name: string | undefined,
  ) => ({
    id: _id,
    ...rest,
    createdBy: { id: createdBy, name: name ?? 'unknown' },
  });
  app.get<{ Params: { id: string } }>('/api/v1/artifacts/:id', async ({ params }, reply) => {
    const found = await collection(scope, 'artifacts').findOne({ _id: params.id });
    if (!found) return reply.code(404).send();
    const user = await collection(scope, 'users').findOne({ _id: found.createdBy });
    return artifactOf(found, user?.name);
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
      ...{ id, number, name },
      drafts: (draftsOf.get(id) ?? []).map(({ _id, name }) => ({
        ...{ id: _id, name },
        artifacts: (filesOf.get(_id) ?? []).map(({ kind, fileName, size }) => ({ kind, fileName, size })),
      })),
    }));
    return { data: { documents: { items } } };
  });
  return app;
}

async function measure(): Promise<void> {
  const server = new Worker(new URL(import.meta.url));
  const [place]: Place[] = await once(server, 'message');
  if (!place) throw new Error('the service did not start');
  const pools = {
    face: new Pool(place.face, { connections: AT_ONCE }),
    hand: new Pool(place.hand, { connections: AT_ONCE }),
  };
  let made = 0;
  const ask = async (
    where: 'face' | 'hand',
    { method, path, body }: Case,
    n: number,
  ): Promise<{ status: number; answer: Record<string, unknown> }> => {
    const headers = {
      authorization: `Bearer ${place.token}`,
      'accept-encoding': 'identity',
      ...(body ? { 'content-type': 'application/json' } : {}),
    };
    const sent = body && JSON.stringify(body(body.length ? made++ : n));
    const { statusCode, body: got } = await pools[where].request({ method, path: path(place, n), headers, body: sent });
    return { status: statusCode, answer: (await got.json()) as Record<string, unknown> };
  };
  const cost = async (where: 'face' | 'hand', of: Case): Promise<number> => {
    const before = await server.cpuUsage();
    let sent = 0;
    const client = async () => {
      while (sent < of.requests) await ask(where, of, sent++);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, client));
    const { user, system } = await server.cpuUsage(before);
    return (user + system) / of.requests;
  };

  for (const of of CASES) {
    for (let n = 0; n < 3; n++) {
      const [face, hand] = [await ask('face', of, n), await ask('hand', of, n)];
      assert.equal(face.status, hand.status);
      assert.deepEqual(comparable(face.answer), comparable(hand.answer));
    }
    const rounds: { face: number; hand: number }[] = [];
    for (let round = 0; round < ROUNDS; round++)
      rounds.push({ face: await cost('face', of), hand: await cost('hand', of) });
    const [face, hand] = [median(rounds.map((round) => round.face)), median(rounds.map((round) => round.hand))];
    const ratio = hand / face;
    console.log(
      `${of.name}: ${hand.toFixed(0)} µs by hand, ${face.toFixed(0)} µs through the service, ratio ${ratio.toFixed(2)}, aim ${of.aim}${ratio < of.aim ? ': MISSED' : ''}`,
    );
  }
  await Promise.all([pools.face.close(), pools.hand.close()]);
  server.postMessage('end');
  await once(server, 'exit');
}

// what is another each time: ids, names and times of what was made, and what only the service tells beside the data
function comparable(answer: Record<string, unknown>): unknown {
  const { extensions: _extensions, ...rest } = answer;
  if (!('documentCount' in rest)) return rest;
  const { id: _id, name: _name, path: _path, createdAt: _createdAt, updatedAt: _updatedAt, ...folder } = rest;
  return folder;
}

function median(values: number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;
}
