// What the gateway costs: a stored operation behind a route, as the REST adapter runs it, against a route written by hand on the same loaders.
// CPU time of the serving thread per request, both on one server; 1 = as cheap as by hand. Run by `node launch.mjs bench/gateway.ts`.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import Fastify from 'fastify';
import { parse } from 'graphql';
import { pino } from 'pino';
import { Pool } from 'undici';
import { compose } from '../gateway/compose.ts';
import { createGateway } from '../gateway/gateway.ts';
import { type Loaders, loaders, NOBODY, nothingSeen, sampleSubgraphs } from '../gateway/testing/sample.ts';
import { clientOf } from '../http/client-of.ts';

const ROUNDS = 11;
const WARMING = 8; // rounds before: the first ten thousands of requests tell how fast the engine compiles
const IDS = 97; // cycled: one fixed id flatters whatever merges equal requests in flight
const LINES = 50;
const AT_ONCE = 8;

type Case = {
  name: string;
  aim: number;
  requests: number;
  operation: string;
  prefix: string;
  byHand: (id: string, loaders: Loaders) => Promise<unknown>;
};
type Version = { id: string; n: number; documentId: string };

const CASES: Case[] = [
  {
    name: 'one document, one subgraph',
    aim: 0.6,
    requests: 2000,
    prefix: 'd',
    operation: 'query Document($id: ID!) { document(id: $id) { id name kind } }',
    async byHand(id, { document }) {
      const { id: own, name, kind } = (await document.load(id)) as { id: string; name: string; kind: string };
      return { document: { id: own, name, kind } };
    },
  },
  {
    name: `a bill of ${LINES} versions, three subgraphs`,
    aim: 0.5,
    requests: 400,
    prefix: 'v',
    operation:
      'query Bom($id: ID!) { version(id: $id) { n bom { position version { n document { name } artifacts { fileName size } } } } }',
    async byHand(id, { version, document }) {
      const { n } = (await version.load(id)) as Version;
      const line = async (position: number) => {
        const below = (await version.load(`v${position}`)) as Version;
        const { name } = (await document.load(below.documentId)) as { name: string };
        return {
          position,
          version: { n: below.n, document: { name }, artifacts: [{ fileName: `part-${below.id}.stp`, size: 12 }] },
        };
      };
      return { version: { n, bom: await Promise.all(Array.from({ length: LINES }, (_, index) => line(index + 1))) } };
    },
  },
];

if (isMainThread) await measure();
else await serve();

async function serve(): Promise<void> {
  const seen = nothingSeen();
  const subgraphs = sampleSubgraphs(seen, { bomLines: LINES });
  const { supergraphSdl } = compose(subgraphs);
  const gateway = await createGateway({
    subgraphs,
    supergraphSdl,
    key: Buffer.alloc(32),
    log: pino({ level: 'silent' }),
  });
  const app = Fastify();
  for (const [index, { operation, byHand }] of CASES.entries()) {
    const prepared = gateway.prepare(parse(operation));
    app.get<{ Params: { id: string } }>(`/${index}/gateway/:id`, async ({ params }, reply) => {
      seen.batches.length = 0;
      seen.contexts.length = 0;
      const client = clientOf(reply.raw);
      const { data, errors } = await gateway.execute(prepared, params, {
        ...{ actor: NOBODY, requestId: 'bench', hasLeft: client.hasLeft },
        get signal() {
          return client.signal;
        },
      });
      assert.equal(errors, undefined);
      return data;
    });
    app.get<{ Params: { id: string } }>(`/${index}/hand/:id`, async ({ params }) => {
      seen.batches.length = 0;
      return byHand(params.id, loaders(seen));
    });
  }
  parentPort?.postMessage(await app.listen({ port: 0, host: '127.0.0.1' }));
}

async function measure(): Promise<void> {
  const server = new Worker(new URL(import.meta.url));
  const [origin]: string[] = await once(server, 'message');
  const pool = new Pool(origin ?? '', { connections: AT_ONCE });
  const get = async (path: string) => (await pool.request({ path, method: 'GET' })).body.text();
  const cost = async (path: string, prefix: string, requests: number): Promise<number> => {
    const before = await server.cpuUsage();
    let sent = 0;
    const client = async () => {
      while (sent < requests) await get(`${path}/${prefix}${1 + (sent++ % IDS)}`);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, client));
    const { user, system } = await server.cpuUsage(before);
    return (user + system) / requests;
  };
  for (const [index, { name, aim, requests, prefix }] of CASES.entries()) {
    for (let n = 1; n <= IDS; n++)
      assert.equal(await get(`/${index}/gateway/${prefix}${n}`), await get(`/${index}/hand/${prefix}${n}`));
    const pairs: { gateway: number; hand: number }[] = [];
    for (let round = 0; round < WARMING + ROUNDS; round++) {
      pairs.push({
        gateway: await cost(`/${index}/gateway`, prefix, requests),
        hand: await cost(`/${index}/hand`, prefix, requests),
      });
    }
    pairs.splice(0, WARMING);
    const [gateway, hand] = [median(pairs.map((pair) => pair.gateway)), median(pairs.map((pair) => pair.hand))];
    const ratio = hand / gateway;
    console.log(
      `${name}: ${hand.toFixed(0)} µs by hand, ${gateway.toFixed(0)} µs through the gateway, ratio ${ratio.toFixed(2)}, aim ${aim}${ratio < aim ? ': MISSED' : ''}`,
    );
  }
  await pool.close();
  await server.terminate();
}

function median(values: number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;
}
