// Goodput under overload: 1, 8, 64, 200 and 1,000 clients that send the next request when they have the response of the
// last, a third of them writes, over 50 tokens. A client that gets 503 waits as long as Retry-After says. Reports the
// successful requests per second, the latency of admitted and of rejected requests, and the processor time of the
// service thread; medians over the rounds. Run: `npm run bench overload`, or `node launch.mjs bench/overload.ts 64 200`
// for some numbers of clients. PDM_REQUEST_SLOTS and PDM_MAX_QUEUE_MS apply. Targets: goodput with 200 and 1,000 clients ≥ 0.9 of the best; p99 of admitted requests
// < 2 s with 200 clients; rejected within 50 ms; no 504.
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { Client } from 'undici';
import { issueTokenTo } from '../subgraphs/documents/access/issue-token.ts';
import { startPdm } from '../test/support/pdm.ts';

const ROUNDS = 3;
const WARM_UP_MS = 1_500;
const MEASURED_MS = 5_000;
const TOKENS = 50;
const DOCUMENTS = 200;
const COUNTS = process.argv.slice(2).map(Number).filter(Boolean);
const CLIENTS = COUNTS.length ? COUNTS : [1, 8, 64, 200, 1_000];
const LIST = `query List { documents(limit: 20) { items { id number name drafts { id name artifacts { kind size } } } } }`;

type Service = { url: string; tokens: string[]; documents: string[] };
type Outcome = { ms: number; status: number };
type Round = { goodput: number; admitted: number[]; rejected: number[]; statuses: Map<number, number>; cpu: number };
type Request = { method: 'GET' | 'POST' | 'PATCH'; path: string; body?: object };

if (isMainThread) await measure();
else await serve();

async function serve(): Promise<void> {
  const { PDM_REQUEST_SLOTS = '16', PDM_MAX_QUEUE_MS = '500' } = process.env;
  const pdm = await startPdm({ settings: { PDM_REQUEST_SLOTS, PDM_MAX_QUEUE_MS } });
  const tokens: string[] = [];
  for (let n = 0; n < TOKENS; n++)
    tokens.push(await issueTokenTo(pdm.services, { role: 'editor', name: `Editor ${n}`, days: 1 }));
  const documents: string[] = [];
  for (let n = 0; n < DOCUMENTS; n++)
    documents.push((await pdm.editor.post('/documents', { name: `Part ${n}`, kind: 'model' })).body.id);
  parentPort?.postMessage({ url: pdm.url, tokens, documents } satisfies Service);
  await once(parentPort!, 'message');
  await pdm.close();
  parentPort?.close();
}

async function measure(): Promise<void> {
  const server = new Worker(new URL(import.meta.url), { argv: [] });
  const [service]: Service[] = await once(server, 'message');
  if (!service) throw new Error('the service did not start');
  const rounds = new Map<number, Round[]>(CLIENTS.map((clients) => [clients, []]));
  await run(service, server, 8, WARM_UP_MS);
  for (let round = 0; round < ROUNDS; round++)
    for (const clients of round % 2 ? CLIENTS.toReversed() : CLIENTS)
      rounds.get(clients)?.push(await run(service, server, clients, MEASURED_MS));
  report(rounds);
  server.postMessage('end');
  await once(server, 'exit');
}

/** Runs the clients and returns what they saw after the warm-up. */
async function run(service: Service, server: Worker, clients: number, milliseconds: number): Promise<Round> {
  const start = performance.now() + WARM_UP_MS;
  const end = start + milliseconds;
  const outcomes: Outcome[] = [];
  const load = Promise.all(Array.from({ length: clients }, (_, n) => runClient(service, n, start, end, outcomes)));
  await sleep(WARM_UP_MS);
  const before = await server.cpuUsage();
  await load;
  const { user, system } = await server.cpuUsage(before);
  const timesOf = (isCounted: (status: number) => boolean) =>
    outcomes.filter(({ status }) => isCounted(status)).map(({ ms }) => ms);
  const admitted = timesOf((status) => status < 300);
  return {
    goodput: admitted.length / (milliseconds / 1000),
    admitted,
    rejected: timesOf((status) => status === 503),
    statuses: new Map([...Map.groupBy(outcomes, ({ status }) => status)].map(([key, { length }]) => [key, length])),
    cpu: (user + system) / Math.max(1, admitted.length),
  };
}

async function runClient(
  { url, tokens, documents }: Service,
  client: number,
  start: number,
  end: number,
  outcomes: Outcome[],
): Promise<void> {
  const connection = new Client(url);
  const token = tokens[client % tokens.length];
  for (let n = 0; performance.now() < end; ) {
    const { method, path, body } = requestOf(client, n, documents);
    const sentAt = performance.now();
    const response = await connection.request({
      method,
      path,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...(method === 'GET' ? {} : { 'idempotency-key': `${start}-${client}-${n}` }),
      },
      body: body && JSON.stringify(body),
    });
    await response.body.dump();
    const now = performance.now();
    if (sentAt >= start && now <= end) outcomes.push({ ms: now - sentAt, status: response.statusCode });
    const retryAfter = Number(response.headers['retry-after'] ?? 0);
    // As clients should, each waits for another fraction of a second more.
    if (retryAfter) await sleep(Math.max(0, Math.min(end - now, (retryAfter + Math.random()) * 1000)));
    else n += 1;
  }
  await connection.close();
}

function requestOf(client: number, n: number, documents: readonly string[]): Request {
  const id = documents[(client * 7 + n) % documents.length];
  switch ((client + n) % 6) {
    case 0:
      return { method: 'GET', path: `/api/v1/documents/${id}` };
    case 1:
      return { method: 'PATCH', path: `/api/v1/documents/${id}`, body: { name: `Part ${client}-${n}` } };
    case 2:
      return { method: 'GET', path: '/api/v1/documents?limit=20' };
    case 3:
      return { method: 'POST', path: '/graphql', body: { query: LIST } };
    case 4:
      return { method: 'POST', path: '/api/v1/documents', body: { name: `New ${client}-${n}`, kind: 'model' } };
    default:
      return { method: 'GET', path: `/api/v1/documents/${id}/versions` };
  }
}

function report(rounds: ReadonlyMap<number, Round[]>): void {
  const goodputOf = (clients: number) => median((rounds.get(clients) ?? []).map(({ goodput }) => goodput));
  const best = Math.max(...CLIENTS.map(goodputOf));
  for (const [clients, runs] of rounds) {
    const quantileOf = (times: (run: Round) => number[], q: number) =>
      median(runs.map((run) => quantile(times(run), q))).toFixed(0);
    const statuses = runs.flatMap((run) => [...run.statuses]);
    const counts = [...Map.groupBy(statuses, ([status]) => status)]
      .map(([status, entries]) => `${status}×${entries.reduce((sum, [, count]) => sum + count, 0)}`)
      .join(' ');
    const ratio = goodputOf(clients) / best;
    const missed = clients >= 200 && ratio < 0.9 ? ': MISSED' : '';
    console.log(
      [
        `${clients} clients: ${goodputOf(clients).toFixed(0)}/s, ${ratio.toFixed(2)} of the best${missed}`,
        `admitted p50 ${quantileOf((run) => run.admitted, 0.5)} p95 ${quantileOf((run) => run.admitted, 0.95)} p99 ${quantileOf((run) => run.admitted, 0.99)} ms`,
        `rejected p50 ${quantileOf((run) => run.rejected, 0.5)} p99 ${quantileOf((run) => run.rejected, 0.99)} ms`,
        `${median(runs.map(({ cpu }) => cpu)).toFixed(0)} µs of the service per success`,
        counts,
      ].join('; '),
    );
  }
}

function quantile(values: readonly number[], q: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * q)] ?? Number.NaN;
}

function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}
