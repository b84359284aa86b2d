// Interference of hostile generators: latency of reads while endless loops, memory hogs, thread storms and output
// floods run in the sandbox, as many at once as the scheduler runs, compared to an idle machine. Service, sandbox
// launcher and reader are separate processes. Each program has ROUNDS pairs of an idle and an attacked series in
// alternating order. Reports the ratio of the 99th percentiles of all reads and the median ratio of the programs, which
// is robust against single stalls. Run: `node launch.mjs bench/generators.ts`. Target: both ratios at most 2. Requires
// a sandbox (docs/generators.md).
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Pool } from 'undici';
import { probeSandbox, TEST_PROGRAM } from '../scheduler/sandbox/probe.ts';
import { runProgram } from '../scheduler/sandbox/run-program.ts';
import { client } from '../test/support/client.ts';
import { startProcess } from '../test/support/service-process.ts';

const TARGET = 2;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const READS = 100;
const INTERVAL_MS = 16;
const SLOW_MS = 40;
const HOSTILE = ['loop', 'promise', 'mem', 'heap', 'wasm', 'threads', 'forkbomb', 'stdout', 'disk', 'storm'];
const SLOTS = Math.max(1, Math.min(2, availableParallelism() - 1));
const tree = join(import.meta.dirname, '../scheduler/sandbox/guest');

type Times = { idle: number[]; attacked: number[] };
type Read = () => Promise<number>;

if (process.send) runAttacks();
else await measure();

async function measure(): Promise<void> {
  const { works, reason } = await probeSandbox();
  if (!works) return console.log(`NOT RUN: ${reason}`);
  const folder = mkdtempSync(join(tmpdir(), 'bench-generators-'));
  const service = await startProcess(folder, { PDM_ROLES: 'store,api,sweeps' });
  const attacker = fork(import.meta.filename, { execArgv: process.execArgv });
  const pool = new Pool(service.url, { connections: 32 });
  try {
    const api = client(`${service.url}/api/v1`, service.token());
    for (let i = 0; i < 20; i++) await api.post('/documents', { name: `Document ${i}`, kind: 'model' });
    const read = createReader(pool, service.token());
    // Some seconds after its start the service builds the web app, which must not be measured.
    for (let round = 0; round < 5; round++) await measureSeries(read);
    report(await alternate(read, attacker));
  } finally {
    attacker.kill();
    await pool.close();
    await service.end('SIGTERM');
    rmSync(folder, { recursive: true });
  }
}

async function alternate(read: Read, attacker: ChildProcess): Promise<Map<string, Times>> {
  const times = new Map(HOSTILE.map((name): [string, Times] => [name, { idle: [], attacked: [] }]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, { idle, attacked }] of times) {
      if (round % 2 === 0) idle.push(...(await measureSeries(read)));
      const stop = startAttack(attacker, name);
      await wait(300);
      attacked.push(...(await measureSeries(read)));
      await stop();
      if (round % 2 === 1) idle.push(...(await measureSeries(read)));
    }
  }
  return times;
}

function report(times: Map<string, Times>): void {
  for (const [name, series] of times) console.log(`${name.padEnd(10)}${formatTimes(series)}`);
  const pooled = {
    idle: [...times.values()].flatMap(({ idle }) => idle),
    attacked: [...times.values()].flatMap(({ attacked }) => attacked),
  };
  const medianRatio = quantile([...times.values()].map(ratio), 0.5);
  const slow = (reads: readonly number[]) => reads.filter((time) => time > SLOW_MS).length;
  console.log(`${pooled.idle.length} reads each, ${SLOTS} hostile programs at once: ${formatTimes(pooled)}`);
  console.log(
    `over ${SLOW_MS} ms: ${slow(pooled.idle)} → ${slow(pooled.attacked)} reads; median ratio of the programs: ${medianRatio.toFixed(2)}`,
  );
  console.log(`target: both ratios ≤ ${TARGET}${Math.max(medianRatio, ratio(pooled)) > TARGET ? ': MISSED' : ''}`);
}

function formatTimes({ idle, attacked }: Times): string {
  const pair = (q: number) => `${quantile(idle, q).toFixed(1)} → ${quantile(attacked, q).toFixed(1)} ms`;
  return `p50 ${pair(0.5)}, p99 ${pair(0.99)}; ratio ${ratio({ idle, attacked }).toFixed(2)}`;
}

function ratio({ idle, attacked }: Times): number {
  return quantile(attacked, 0.99) / quantile(idle, 0.99);
}

/** Returns a function that reads a page of documents over a pooled connection and returns the duration in ms. */
function createReader(pool: Pool, token: string): Read {
  const request = {
    method: 'GET',
    path: '/api/v1/documents?limit=10',
    headers: { authorization: `Bearer ${token}` },
  } as const;
  return async () => {
    const start = performance.now();
    const { statusCode, body } = await pool.request(request);
    await body.arrayBuffer();
    if (statusCode !== 200) throw new Error(`a read failed with status ${statusCode}`);
    return performance.now() - start;
  };
}

/** Starts reads at a constant rate, independent of earlier responses, and returns their durations in ms. */
async function measureSeries(read: Read): Promise<number[]> {
  const times: Promise<number>[] = [];
  for (let i = 0; i < READS; i++) {
    times.push(read());
    await wait(INTERVAL_MS);
  }
  return Promise.all(times);
}

/** Runs the program repeatedly in every slot of the attacker process until the returned function is called. */
function startAttack(attacker: ChildProcess, name: string): () => Promise<void> {
  attacker.send({ name });
  return async () => {
    attacker.send({ name: null });
    await once(attacker, 'message');
  };
}

function runAttacks(): void {
  let controller = new AbortController();
  let running: Promise<unknown> = Promise.resolve();
  process.on('message', async ({ name }: { name: string | null }) => {
    if (name) {
      controller = new AbortController();
      running = Promise.all(Array.from({ length: SLOTS }, () => repeat(name, controller.signal)));
    } else {
      controller.abort();
      await running;
      process.send?.('stopped');
    }
  });
}

async function repeat(name: string, signal: AbortSignal): Promise<void> {
  const program =
    name === 'storm' ? { entry: '/gen/memory-threads.mjs' } : { entry: '/gen/attacks.mjs', args: [name, '{}'] };
  const limits = { memory: 2 ** 30, scratchBytes: name === 'disk' ? 2 ** 26 : 0 };
  while (!signal.aborted)
    await runProgram({ ...TEST_PROGRAM, ...program, tree, urgent: false, permission: false, limits }, { signal });
}

function quantile(times: readonly number[], q: number): number {
  return [...times].sort((a, b) => a - b)[Math.floor(times.length * q)] ?? Number.NaN;
}
