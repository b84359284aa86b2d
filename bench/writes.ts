// Ordinary writes over REST with 1, 8, 32 and 200 clients, alternating with the same write by hand (Fastify and the
// driver; one transaction of the change, its audit record and the head of its chain) and with a plain insert through
// the driver, each on a store of the same kind. Reports writes per second, latency, ratios to both peers (medians over
// the rounds), the processor time of the service and its store per write, the time until a write is in GET /audit and
// in the event stream, and the store commands per write. Run: `npm run bench writes`. MONGODB_URL: all use that server,
// whose processor time is not counted. SECONDS=2, ROUNDS=3, CLIENTS=1,32, WRITES=patch,folders and
// PARTS=rates,delivery,commands select less; PDM_REQUEST_SLOTS and PDM_MAX_QUEUE_MS apply. Targets: below.
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { Client } from 'undici';
import { follow } from '../test/support/event-stream.ts';
import { type Pdm, startPdm } from '../test/support/pdm.ts';
import { startProcess } from '../test/support/service-process.ts';
import { withDatabase } from '../test/support/split.ts';
import { cpuMs, processTree } from './peers/job-queue.ts';
import { DRIVER, record, type Stored } from './peers/writes-by-hand.ts';

const { SECONDS = '2', ROUNDS = '3', CLIENTS = '1,8,32,200', PARTS = 'rates,delivery,commands' } = process.env;
const { MONGODB_URL, PDM_REQUEST_SLOTS = '16', PDM_MAX_QUEUE_MS = '500' } = process.env;
const COUNTS = CLIENTS.split(',').map(Number);
const COUNTED_WRITES = 1_000;
const TARGET = {
  p50OfOne: 5,
  goodputOf200: 0.9,
  p99Of200: 1_000,
  isolated: 12,
  concurrent: 5,
  delivery: 1_000,
  idle: 2,
  idleCpu: 1,
};

/** What one client owns, so that only the named resource is shared. */
type Own = { document: string; workspace: string; folder: string };
type Request = { method: 'POST' | 'PATCH'; path: string; body: object };
type Write = { title: string; target: number; request(own: Own, unique: string, shared: Own): Request };
type Server = { url: string; token: string; pid: number; owns: Own[]; connections: Client[] };
type Result = { rate: number; times: number[]; rejected: number; service: number; store: number };

const ALL_WRITES: Record<string, Write> = {
  patch: {
    title: 'PATCH of own documents',
    target: 500,
    request: (own, name) => ({ method: 'PATCH', path: `/documents/${own.document}`, body: { name } }),
  },
  documents: {
    title: 'POST /documents',
    target: 300,
    request: (_, name) => ({ method: 'POST', path: '/documents', body: { name, kind: 'model' } }),
  },
  versions: {
    title: 'POST versions of own documents',
    target: 300,
    request: (own) => ({ method: 'POST', path: `/workspaces/${own.workspace}/versions`, body: {} }),
  },
  folders: {
    title: 'POST /folders under own parents',
    target: 300,
    request: (own, name) => ({ method: 'POST', path: '/folders', body: { name, parentId: own.folder } }),
  },
  siblings: {
    title: 'POST /folders under one parent',
    target: 200,
    request: (_, name, shared) => ({ method: 'POST', path: '/folders', body: { name, parentId: shared.folder } }),
  },
};
const NAMES = process.env.WRITES?.split(',') ?? Object.keys(ALL_WRITES);
const WRITES = NAMES.map((name) => ALL_WRITES[name] ?? assert.fail(`Unknown write: ${name}`));

let sent = 0;
if (PARTS.includes('rates') || PARTS.includes('delivery')) await measureProcesses();
if (PARTS.includes('commands')) await countCommands();

async function measureProcesses(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-writes-'));
  const database = `bench_${process.pid}_${Date.now().toString(36)}`;
  const settings = { PDM_ROLES: 'store,api,sweeps', PDM_NATS_SERVER_BIN: 'off', PDM_REQUEST_SLOTS, PDM_MAX_QUEUE_MS };
  const started = await startProcess(join(dataDir, 'pdm'), {
    ...settings,
    ...(MONGODB_URL ? { MONGODB_URL: withDatabase(MONGODB_URL, database) } : {}),
  });
  process.once('exit', () => started.child.kill());
  const child = fork(join(import.meta.dirname, 'peers/writes-by-hand.ts'), [
    join(dataDir, 'by-hand'),
    `${database}_by_hand`,
  ]);
  const [{ url, uri }] = (await once(child, 'message')) as [{ url: string; uri: string }];
  const service = await prepare(started.url, await administrator(started), started.pid);
  const byHand = await prepare(url, 'token', child.pid ?? 0);
  const client = new MongoClient(uri, DRIVER);
  const inserts = client.db().collection<Stored>('inserts');

  if (PARTS.includes('rates')) {
    for (const write of WRITES) {
      console.log(`\n${write.title}`);
      const sendTo = (server: Server) => (n: number) => send(server, write, n);
      const targets = [
        { server: service, send: sendTo(service) },
        { server: byHand, send: sendTo(byHand) },
        { server: byHand, send: () => inserts.insertOne(record('inserts', `${sent++}`)).then(() => ({})) },
      ];
      for (const target of targets) await run(target, 8, 0.5);
      let best = 0;
      for (const clients of COUNTS) {
        const results = targets.map((): Result[] => []);
        for (let round = 0; round < Number(ROUNDS); round++)
          for (const at of round % 2 ? [2, 1, 0] : [0, 1, 2])
            results[at]?.push(await run(targets[at]!, clients, Number(SECONDS)));
        best = Math.max(best, report(write, clients, best, results));
      }
    }
  }
  if (PARTS.includes('delivery')) await measureDelivery(service);
  for (const { connections } of [service, byHand]) await Promise.all(connections.map((each) => each.close()));
  await client.close();
  await started.end('SIGTERM');
  child.send('end');
  await once(child, 'exit');
  if (MONGODB_URL) await dropDatabases(MONGODB_URL, [database, `${database}_by_hand`]);
  rmSync(dataDir, { recursive: true });
}

async function administrator({ url, token }: { url: string; token(): string }): Promise<string> {
  const headers = { authorization: `Bearer ${token()}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ name: 'Administrator' });
  return (await (await fetch(`${url}/api/v1/setup`, { method: 'POST', headers, body })).json()).token;
}

/** Connects the clients and creates two documents, one of them for versions, and a folder for each. */
async function prepare(url: string, token: string, pid: number, count = Math.max(32, ...COUNTS)): Promise<Server> {
  const server: Server = { url, token, pid, owns: [], connections: [] };
  for (let n = 0; n < count; n++) server.connections.push(new Client(url));
  const create = async (path: string, body: object) => (await request(server, 0, { method: 'POST', path, body })).body;
  for (let n = 0; n < count; n++) {
    const { id: document } = await create('/documents', { name: `Part ${n}`, kind: 'model' });
    const { workspaces } = await create('/documents', { name: `Part ${n} with versions`, kind: 'model' });
    const { id: folder } = await create('/folders', { name: `Folder ${n}` });
    server.owns.push({ document, workspace: workspaces[0].id, folder });
  }
  return server;
}

async function request({ connections, token }: Server, client: number, { method, path, body }: Request) {
  const response = await connections[client]!.request({
    method,
    path: `/api/v1${path}`,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  // biome-ignore lint/suspicious/noExplicitAny: bodies of different shapes
  const json = (await response.body.json()) as any;
  const { statusCode: status, headers } = response;
  assert(status < 300 || status === 503, `${method} ${path} returned ${status}: ${JSON.stringify(json)}`);
  return { status, retryAfter: Number(headers['retry-after'] ?? 0), id: String(headers['x-request-id']), body: json };
}

function send(server: Server, write: Write, client: number) {
  return request(server, client, write.request(server.owns[client]!, `Name ${sent++}`, server.owns[0]!));
}

type Target = { server: Server; send(client: number): Promise<{ retryAfter?: number }> };

/** Runs the clients, each of which sends its next write when it has the response to the last. */
async function run({ server, send }: Target, clients: number, seconds: number): Promise<Result> {
  await waitUntilIdle(server);
  const before = cpuOf(server);
  const times: number[] = [];
  let [written, rejected] = [0, 0];
  const start = performance.now() + seconds * 500; // the first third is a warm-up
  const end = start + seconds * 1000;
  const client = async (n: number) => {
    for (let now = performance.now(); now < end; ) {
      const sentAt = now;
      const { retryAfter = 0 } = await send(n);
      now = performance.now();
      if (retryAfter) {
        rejected += 1;
        await pause(Math.max(0, Math.min(end - now, (retryAfter + Math.random()) * 1000)));
        now = performance.now();
      } else {
        written += 1;
        if (now >= start && now <= end) times.push(now - sentAt);
      }
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, n) => client(n)));
  await waitUntilIdle(server); // sealing and checkpoints belong to the writes
  const after = cpuOf(server);
  const cost = (process: 'service' | 'store') => (after[process] - before[process]) / written;
  return { rate: times.length / seconds, times, rejected, service: cost('service'), store: cost('store') };
}

function cpuOf({ pid }: Server): { service: number; store: number } {
  const stores = processTree(pid).filter((other) => other !== pid);
  return { service: cpuMs({ processes: () => [pid] }), store: cpuMs({ processes: () => stores }) };
}

/** Waits until the processes use less than a fifth of a processor, for at most two seconds. */
async function waitUntilIdle(server: Server): Promise<void> {
  const total = () => cpuMs({ processes: () => processTree(server.pid) });
  for (let before = total(), checks = 0; checks < 20; checks++) {
    await pause(100);
    const now = total();
    if (now - before < 20) return;
    before = now;
  }
}

/** Prints a line and returns the rate of the service. */
function report(write: Write, clients: number, best: number, results: Result[][]): number {
  const [service = [], byHand = [], inserts = []] = results;
  const rateOf = (all: Result[]) => median(all.map(({ rate }) => rate));
  const ms = (all: Result[], q: number) => median(all.map(({ times }) => quantile(times, q)));
  const ratioTo = (peer: Result[]) => {
    const ratios = service.map(({ rate }, n) => rate / peer[n]!.rate);
    return `${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`;
  };
  const line = (all: Result[]) =>
    `${rateOf(all).toFixed(0)}/s, p50 ${ms(all, 0.5).toFixed(1)}, p99 ${ms(all, 0.99).toFixed(1)} ms`;
  const cpu = (all: Result[]) => {
    const [service, store] = [median(all.map((each) => each.service)), median(all.map((each) => each.store))];
    return `${service.toFixed(2)}${MONGODB_URL ? '' : ` + ${store.toFixed(2)}`} ms of CPU`;
  };
  const rejected = service.reduce((sum, each) => sum + each.rejected, 0);
  const rate = rateOf(service);
  const misses = [
    clients === 1 && ms(service, 0.5) > TARGET.p50OfOne && `p50 ≤ ${TARGET.p50OfOne} ms`,
    clients === 32 && rate < write.target && `≥ ${write.target}/s`,
    clients === 200 && rate < TARGET.goodputOf200 * best && `≥ ${TARGET.goodputOf200} of the best rate`,
    clients === 200 && ms(service, 0.99) > TARGET.p99Of200 && `p99 ≤ ${TARGET.p99Of200} ms`,
  ].filter(Boolean);
  console.log(
    `  ${clients} client${clients > 1 ? 's' : ''}: ${line(service)}, ${cpu(service)}${rejected ? `, ${rejected} × 503` : ''}${misses.length ? `; MISSED ${misses.join(', ')}` : ''}\n` +
      `    by hand: ${line(byHand)}, ${cpu(byHand)}; ratio ${ratioTo(byHand)}\n    insert: ${line(inserts)}; ratio ${ratioTo(inserts)}`,
  );
  return rate;
}

/** The time from the response to a write until its record is in GET /audit and its event in the stream. */
async function measureDelivery(service: Server): Promise<void> {
  await waitUntilIdle(service);
  const [answered, listed, received] = [1, 2, 3].map(() => new Map<string, number>()) as [Seen, Seen, Seen];
  const stream = await follow(`${service.url}/api/v1/events/stream`, service.token);
  const receiving = (async () => {
    for (let event = await stream.next(); event; event = await stream.next())
      note(received, JSON.parse(event.data).data.requestId);
  })().catch(() => {}); // `close` aborts the response
  const end = performance.now() + Number(SECONDS) * 1000;
  const isEverywhere = () => [...answered.keys()].every((id) => listed.has(id) && received.has(id));
  const listing = (async () => {
    while (performance.now() < end || !isEverywhere()) {
      await listNewest(service, listed);
      await pause(50);
    }
  })();
  const writing = Array.from({ length: 32 }, async (_, client) => {
    while (performance.now() < end) {
      const { status, id, retryAfter } = await send(service, ALL_WRITES.patch!, client);
      if (status < 300) note(answered, id);
      else await pause(retryAfter * 1000);
    }
  });
  await Promise.all([...writing, listing]);
  await stream.close();
  await receiving;
  console.log(`\ntime from the response to a write until it is visible, 32 clients, ${answered.size} writes`);
  for (const [title, seen] of [
    ['GET /audit', listed],
    ['event stream', received],
  ] as const) {
    const times = [...answered].map(([id, at]) => Math.max(0, seen.get(id)! - at));
    const p99 = quantile(times, 0.99);
    console.log(
      `  ${title}: p50 ${median(times).toFixed(0)}, p99 ${p99.toFixed(0)}, max ${Math.max(...times).toFixed(0)} ms (target: p99 ≤ ${TARGET.delivery} ms)${p99 > TARGET.delivery ? ': MISSED' : ''}`,
    );
  }
}

type Seen = Map<string, number>;
function note(seen: Seen, id: string): void {
  if (!seen.has(id)) seen.set(id, performance.now());
}

/** Reads pages of the audit log, newest first, until one contains a known record. */
async function listNewest({ url, token }: Server, listed: Seen): Promise<void> {
  for (let cursor = ''; ; ) {
    const response = await fetch(`${url}/api/v1/audit?limit=50${cursor}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const { items, nextCursor } = await response.json();
    const isFirst = listed.size === 0;
    const known = items.filter(({ requestId }: { requestId: string }) => listed.has(requestId)).length;
    for (const { requestId } of items) note(listed, requestId);
    if (isFirst || known || !nextCursor) return;
    cursor = `&cursor=${encodeURIComponent(nextCursor)}`;
  }
}

/** Counts on services of their own, because monitoring commands costs processor time. */
async function countCommands(): Promise<void> {
  const missed = (value: number, target: number) => `(target: ≤ ${target})${value > target ? ': MISSED' : ''}`;
  console.log();
  const cpu = await idleCpu();
  console.log(`idle service with its scheduler: ${cpu.toFixed(1)} % of a processor ${missed(cpu, TARGET.idleCpu)}`);
  const whole = await startPdm({ scheduler: true });
  const countWhole = commandCounter(whole);
  await pause(10_000); // preparations after the start
  const idle = await countWhole(() => pause(20_000));
  console.log(`store commands\n  idle: ${idle.toFixed(1)} per second ${missed(idle, TARGET.idle)}`);
  await whole.close();

  // The scheduler asks for jobs also while it is idle.
  const pdm = await startPdm();
  const count = commandCounter(pdm);
  const service = await prepare(pdm.url, pdm.tokens.admin, process.pid, 32);
  await pause(1_000);
  const background = await count(() => pause(4_000));
  const during = async (work: () => Promise<unknown>) => {
    await pause(1_000);
    const start = performance.now();
    const perSecond = await count(work);
    return Math.max(0, ((performance.now() - start) / 1000) * (perSecond - background));
  };
  for (const write of WRITES) {
    const isolated: number[] = [];
    for (let n = 0; n < 3; n++) isolated.push(await during(() => send(service, write, 0)));
    let remaining = COUNTED_WRITES;
    const client = async (n: number) => {
      while (remaining-- > 0) assert((await send(service, write, n)).status < 300);
    };
    const all = await during(() => Promise.all(service.owns.map((_, n) => client(n))));
    const [alone, together] = [median(isolated), all / COUNTED_WRITES];
    console.log(
      `  ${write.title}: isolated ${alone.toFixed(0)} ${missed(alone, TARGET.isolated)}, each of ${COUNTED_WRITES} from 32 clients ${together.toFixed(1)} ${missed(together, TARGET.concurrent)}`,
    );
  }
  await Promise.all(service.connections.map((each) => each.close()));
  await pdm.close();
}

/** The processor time of a whole service and its processes in percent of one processor, while nobody uses it. */
async function idleCpu(): Promise<number> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-writes-'));
  const { pid, end } = await startProcess(dataDir);
  await pause(12_000); // preparations after the start
  const total = () => cpuMs({ processes: () => processTree(pid) });
  const before = total();
  await pause(20_000);
  const percent = (total() - before) / 200;
  await end('SIGTERM');
  rmSync(dataDir, { recursive: true });
  return percent;
}

/** Returns a function that counts the store commands per second until a second after the end of the work. */
function commandCounter(pdm: Pdm): (work: () => Promise<unknown>) => Promise<number> {
  let commands = 0;
  pdm.services.mongo.client.on('commandStarted', () => commands++);
  return async (work) => {
    const [before, start] = [commands, performance.now()];
    await work();
    await pause(1_000);
    return (commands - before) / ((performance.now() - start) / 1000);
  };
}

async function dropDatabases(url: string, names: string[]): Promise<void> {
  const client = await MongoClient.connect(url);
  for (const name of names) await client.db(name).dropDatabase();
  await client.close();
}

function quantile(values: readonly number[], q: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * q)] ?? Number.NaN;
}

function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}
