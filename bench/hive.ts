// /graphql compared to Hive Gateway: each serves the same subgraphs and queries in one thread; CPU time of that thread
// per request. Run: `node launch.mjs bench/hive.ts`. Target: 5 times the CPU efficiency.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import Fastify from 'fastify';
import { pino } from 'pino';
import { Pool } from 'undici';
import { compose } from '../gateway/compose.ts';
import { createGateway } from '../gateway/gateway.ts';
import { mountGraphql } from '../gateway/server.ts';
import { createRecording, sampleSubgraphs, VIEWER } from '../gateway/testing/sample.ts';
import { createAdmission } from '../http/admission/admission.ts';
import { installPeer } from './peers/install-peer.ts';

const ROUNDS = 7;
const IDS = 97; // distinct ids, because servers may merge equal concurrent requests
const LINES = 50;
const CONCURRENCY = 8;
const TARGET = 5;

const CASES = [
  {
    name: 'one document, one subgraph',
    requests: 1000,
    prefix: 'd',
    query: 'query Document($id: ID!) { document(id: $id) { id name kind } }',
  },
  {
    name: `a BOM of ${LINES} versions, three subgraphs`,
    requests: 150,
    prefix: 'v',
    query:
      'query Bom($id: ID!) { version(id: $id) { n bom { position version { n document { name } artifacts { fileName size } } } } }',
  },
];

if (isMainThread) await measure();
else await serve();

async function serve(): Promise<void> {
  const recording = createRecording();
  const subgraphs = sampleSubgraphs(recording, { bomLines: LINES });
  const log = pino({ level: 'silent' });
  const gateway = await createGateway({
    subgraphs,
    supergraphSdl: workerData.supergraphSdl,
    key: Buffer.alloc(32),
    log,
  });
  const app = Fastify();
  app.addHook('onRequest', async () => {
    recording.batches.length = recording.contexts.length = 0;
  });
  await mountGraphql(app, {
    gateway,
    log,
    authenticate: async () => VIEWER,
    rateLimit: () => ({}),
    admission: createAdmission({ slots: 32, maxWaitMs: 500, maxInProgress: { request: 256, upload: 4, stream: 8 } }),
    introspection: true,
    maxUploadBytes: 1 << 20,
  });
  parentPort?.postMessage(await app.listen({ port: 0, host: '127.0.0.1' }));
}

type Server = { worker: Worker; pool: Pool };

async function measure(): Promise<void> {
  const folder = join(import.meta.dirname, 'peers/hive');
  const home = join(import.meta.dirname, '../node_modules/.cache/bench-hive');
  const reason = installPeer(folder, home, ['package.json', 'package-lock.json', 'hive.mjs']);
  if (reason) return console.log(`NOT RUN: Hive Gateway: ${reason}`);
  const { supergraphSdl } = compose(sampleSubgraphs());
  const at = (path: string) => new URL(path, import.meta.url).href;
  const data = {
    supergraphSdl,
    lines: LINES,
    sample: at('../gateway/testing/sample.ts'),
    localSource: at('../gateway/sources/local-source.ts'),
  };
  const [pdm, hive] = await Promise.all([
    startServer(new URL(import.meta.url), data),
    startServer(pathToFileURL(join(home, 'hive.mjs')), data),
  ]);

  for (const { name, requests, prefix, query } of CASES) {
    const send = async ({ pool }: Server, n: number): Promise<{ data: unknown; errors?: unknown }> => {
      const body = JSON.stringify({ query, variables: { id: `${prefix}${1 + (n % IDS)}` } });
      const headers = { 'content-type': 'application/json', accept: 'application/json', 'accept-encoding': 'identity' };
      const response = await pool.request({ path: '/graphql', method: 'POST', headers, body });
      return (await response.body.json()) as { data: unknown };
    };
    for (let n = 0; n < IDS; n++) {
      const [actual, expected] = [await send(pdm, n), await send(hive, n)];
      assert.equal(actual.errors, undefined);
      assert.deepEqual(actual.data, expected.data);
    }
    const rounds: { pdm: number; hive: number }[] = [];
    for (let round = 0; round < ROUNDS; round++)
      rounds.push({ pdm: await cost(pdm, requests, send), hive: await cost(hive, requests, send) });
    const pdmCost = median(rounds.map((round) => round.pdm));
    const hiveCost = median(rounds.map((round) => round.hive));
    const ratio = hiveCost / pdmCost;
    console.log(
      `${name}: PDM ${pdmCost.toFixed(0)} µs, Hive Gateway ${hiveCost.toFixed(0)} µs, ratio ${ratio.toFixed(1)} (target: ≥ ${TARGET})${ratio < TARGET ? ': MISSED' : ''}`,
    );
  }
  for (const { worker, pool } of [pdm, hive]) {
    await pool.close();
    await worker.terminate();
  }
}

async function startServer(script: URL, data: object): Promise<Server> {
  const worker = new Worker(script, { workerData: data });
  const [origin]: string[] = await once(worker, 'message');
  return { worker, pool: new Pool(origin ?? '', { connections: CONCURRENCY }) };
}

async function cost(
  server: Server,
  requests: number,
  send: (server: Server, n: number) => Promise<unknown>,
): Promise<number> {
  const before = await server.worker.cpuUsage();
  let sent = 0;
  const client = async () => {
    while (sent < requests) await send(server, sent++);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, client));
  const { user, system } = await server.worker.cpuUsage(before);
  return (user + system) / requests;
}

function median(values: number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;
}
