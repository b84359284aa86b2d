// Gateway overhead: a prepared operation behind a route, as in the REST adapter, compared to a hand-written route on
// the same loaders. CPU time of the server thread per request; a ratio of 1 means no overhead. Run: `node launch.mjs
// bench/gateway.ts`.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import Fastify from 'fastify';
import { parse } from 'graphql';
import { pino } from 'pino';
import { Pool } from 'undici';
import { compose } from '../gateway/compose.ts';
import { createGateway } from '../gateway/gateway.ts';
import { createLoaders, createRecording, type Loaders, sampleSubgraphs, VIEWER } from '../gateway/testing/sample.ts';
import { watchClient } from '../http/client-disconnect.ts';

const ROUNDS = 11;
const WARM_UP_ROUNDS = 8;
const IDS = 97; // distinct ids, because servers may merge equal concurrent requests
const LINES = 50;
const CONCURRENCY = 8;

type Case = {
  name: string;
  target: number;
  requests: number;
  operation: string;
  prefix: string;
  handWritten: (id: string, loaders: Loaders) => Promise<unknown>;
};
type Version = { id: string; n: number; documentId: string };

const CASES: Case[] = [
  {
    name: 'one document, one subgraph',
    target: 0.6,
    requests: 2000,
    prefix: 'd',
    operation: 'query Document($id: ID!) { document(id: $id) { id name kind } }',
    async handWritten(id, { document }) {
      const { id: own, name, kind } = (await document.load(id)) as { id: string; name: string; kind: string };
      return { document: { id: own, name, kind } };
    },
  },
  {
    name: `a BOM of ${LINES} versions, three subgraphs`,
    target: 0.5,
    requests: 400,
    prefix: 'v',
    operation:
      'query Bom($id: ID!) { version(id: $id) { n bom { position version { n document { name } artifacts { fileName size } } } } }',
    async handWritten(id, { version, document }) {
      const { n } = (await version.load(id)) as Version;
      const line = async (position: number) => {
        const child = (await version.load(`v${position}`)) as Version;
        const { name } = (await document.load(child.documentId)) as { name: string };
        return {
          position,
          version: { n: child.n, document: { name }, artifacts: [{ fileName: `part-${child.id}.stp`, size: 12 }] },
        };
      };
      return { version: { n, bom: await Promise.all(Array.from({ length: LINES }, (_, index) => line(index + 1))) } };
    },
  },
];

if (isMainThread) await measure();
else await serve();

async function serve(): Promise<void> {
  const recording = createRecording();
  const subgraphs = sampleSubgraphs(recording, { bomLines: LINES });
  const { supergraphSdl } = compose(subgraphs);
  const gateway = await createGateway({
    subgraphs,
    supergraphSdl,
    key: Buffer.alloc(32),
    log: pino({ level: 'silent' }),
  });
  const app = Fastify();
  for (const [index, { operation, handWritten }] of CASES.entries()) {
    const prepared = gateway.prepare(parse(operation));
    app.get<{ Params: { id: string } }>(`/${index}/gateway/:id`, async ({ params }, reply) => {
      recording.batches.length = 0;
      recording.contexts.length = 0;
      const client = watchClient(reply.raw);
      const { data, errors } = await gateway.execute(prepared, params, {
        actor: VIEWER,
        requestId: 'bench',
        isAborted: client.isAborted,
        get signal() {
          return client.signal;
        },
      });
      assert.equal(errors, undefined);
      return data;
    });
    app.get<{ Params: { id: string } }>(`/${index}/hand/:id`, async ({ params }) => {
      recording.batches.length = 0;
      return handWritten(params.id, createLoaders(recording));
    });
  }
  parentPort?.postMessage(await app.listen({ port: 0, host: '127.0.0.1' }));
}

async function measure(): Promise<void> {
  const server = new Worker(new URL(import.meta.url));
  const [origin]: string[] = await once(server, 'message');
  const pool = new Pool(origin ?? '', { connections: CONCURRENCY });
  const get = async (path: string) => (await pool.request({ path, method: 'GET' })).body.text();
  const cost = async (path: string, prefix: string, requests: number): Promise<number> => {
    const before = await server.cpuUsage();
    let sent = 0;
    const client = async () => {
      while (sent < requests) await get(`${path}/${prefix}${1 + (sent++ % IDS)}`);
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, client));
    const { user, system } = await server.cpuUsage(before);
    return (user + system) / requests;
  };
  for (const [index, { name, target, requests, prefix }] of CASES.entries()) {
    for (let n = 1; n <= IDS; n++)
      assert.equal(await get(`/${index}/gateway/${prefix}${n}`), await get(`/${index}/hand/${prefix}${n}`));
    const pairs: { gateway: number; hand: number }[] = [];
    for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
      pairs.push({
        gateway: await cost(`/${index}/gateway`, prefix, requests),
        hand: await cost(`/${index}/hand`, prefix, requests),
      });
    }
    pairs.splice(0, WARM_UP_ROUNDS);
    const [gateway, hand] = [median(pairs.map((pair) => pair.gateway)), median(pairs.map((pair) => pair.hand))];
    const ratio = hand / gateway;
    console.log(
      `${name}: ${hand.toFixed(0)} µs hand-written, ${gateway.toFixed(0)} µs through the gateway, ratio ${ratio.toFixed(2)} (target: ≥ ${target})${ratio < target ? ': MISSED' : ''}`,
    );
  }
  await pool.close();
  await server.terminate();
}

function median(values: number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;
}
