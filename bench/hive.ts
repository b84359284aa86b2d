// /graphql against Hive Gateway: the same subgraphs in one thread each, the same query by HTTP, the same answer; CPU time of the serving thread for a
// request. Run by `node launch.mjs bench/hive.ts`. Aim: 5 times the CPU efficiency.
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
import { NOBODY, nothingSeen, sampleSubgraphs } from '../gateway/testing/sample.ts';
import { inFlight } from '../http/in-flight.ts';
import { installPeer } from './peers/install-peer.ts';

const ROUNDS = 7;
const IDS = 97; // cycled: one fixed id flatters whatever merges equal requests in flight
const LINES = 50;
const AT_ONCE = 8;
const AIM = 5;

const CASES = [
  {
    name: 'one document, one subgraph',
    requests: 1000,
    prefix: 'd',
    query: 'query Document($id: ID!) { document(id: $id) { id name kind } }',
  },
  {
    name: `a bill of ${LINES} versions, three subgraphs`,
    requests: 150,
    prefix: 'v',
    query:
      'query Bom($id: ID!) { version(id: $id) { n bom { position version { n document { name } artifacts { fileName size } } } } }',
  },
];

if (isMainThread) await measure();
else await serve();

async function serve(): Promise<void> {
  const seen = nothingSeen();
  const subgraphs = sampleSubgraphs(seen, { bomLines: LINES });
  const log = pino({ level: 'silent' });
  const gateway = await createGateway({
    subgraphs,
    supergraphSdl: workerData.supergraphSdl,
    key: Buffer.alloc(32),
    log,
  });
  const app = Fastify();
  app.addHook('onRequest', async () => {
    seen.batches.length = seen.contexts.length = 0;
  });
  await mountGraphql(app, {
    gateway,
    log,
    authenticate: async () => NOBODY,
    admit: () => ({}),
    inFlight: inFlight({ requests: 256, uploads: 4, streams: 8 }),
    introspection: true,
    maxUploadBytes: 1 << 20,
  });
  parentPort?.postMessage(await app.listen({ port: 0, host: '127.0.0.1' }));
}

type Server = { worker: Worker; pool: Pool };

async function measure(): Promise<void> {
  const folder = join(import.meta.dirname, 'peers/hive');
  const home = join(import.meta.dirname, '../node_modules/.cache/bench-hive');
  const missing = installPeer(folder, home, ['package.json', 'package-lock.json', 'hive.mjs']);
  if (missing) return console.log(`not run: Hive Gateway: ${missing}`);
  const { supergraphSdl } = compose(sampleSubgraphs());
  const at = (path: string) => new URL(path, import.meta.url).href;
  const data = {
    supergraphSdl,
    lines: LINES,
    sample: at('../gateway/testing/sample.ts'),
    localSource: at('../gateway/sources/local-source.ts'),
  };
  const [ours, hive] = await Promise.all([
    started(new URL(import.meta.url), data),
    started(pathToFileURL(join(home, 'hive.mjs')), data),
  ]);

  for (const { name, requests, prefix, query } of CASES) {
    const ask = async ({ pool }: Server, n: number): Promise<{ data: unknown; errors?: unknown }> => {
      const body = JSON.stringify({ query, variables: { id: `${prefix}${1 + (n % IDS)}` } });
      const headers = { 'content-type': 'application/json', accept: 'application/json', 'accept-encoding': 'identity' };
      const answer = await pool.request({ path: '/graphql', method: 'POST', headers, body });
      return (await answer.body.json()) as { data: unknown };
    };
    for (let n = 0; n < IDS; n++) {
      const [one, other] = [await ask(ours, n), await ask(hive, n)];
      assert.equal(one.errors, undefined);
      assert.deepEqual(one.data, other.data);
    }
    const rounds: { ours: number; hive: number }[] = [];
    for (let round = 0; round < ROUNDS; round++)
      rounds.push({ ours: await cost(ours, requests, ask), hive: await cost(hive, requests, ask) });
    const [us, them] = [median(rounds.map((round) => round.ours)), median(rounds.map((round) => round.hive))];
    const ratio = them / us;
    console.log(
      `${name}: ${us.toFixed(0)} µs, Hive Gateway ${them.toFixed(0)} µs, ratio ${ratio.toFixed(1)}, aim ${AIM}${ratio < AIM ? ': MISSED' : ''}`,
    );
  }
  for (const { worker, pool } of [ours, hive]) {
    await pool.close();
    await worker.terminate();
  }
}

async function started(script: URL, data: object): Promise<Server> {
  const worker = new Worker(script, { workerData: data });
  const [origin]: string[] = await once(worker, 'message');
  return { worker, pool: new Pool(origin ?? '', { connections: AT_ONCE }) };
}

async function cost(
  server: Server,
  requests: number,
  ask: (server: Server, n: number) => Promise<unknown>,
): Promise<number> {
  const before = await server.worker.cpuUsage();
  let sent = 0;
  const client = async () => {
    while (sent < requests) await ask(server, sent++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, client));
  const { user, system } = await server.worker.cpuUsage(before);
  return (user + system) / requests;
}

function median(values: number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;
}
