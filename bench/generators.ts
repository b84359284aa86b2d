// How much hostile generators disturb the service beside them: reads while endless loops, memory hogs, storms of threads and floods of output run in the
// sandbox, as many at once as the scheduler would run, against the same reads while nothing runs. The service, what runs the programs and the reader are
// three processes, as they are in use. Each program has ROUNDS pairs of a quiet and an attacked stretch, every other pair the other way around, so that
// both meet the same machine. Told are the ratio of the 99th percentiles of all reads, which one stall on either side can move, and the middle of the
// ratios of the programs, which it cannot. Run by `node launch.mjs bench/generators.ts`; aim: both at most twice. Needs a sandbox (docs/generators.md).
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Pool } from 'undici';
import { launch } from '../scheduler/sandbox/launch.ts';
import { PROOF, probeSandbox } from '../scheduler/sandbox/probe.ts';
import { client } from '../test/support/client.ts';
import { startProcess } from '../test/support/service-process.ts';

const AIM = 2;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const READS = 100;
const PACE = 16;
const LONG_MS = 40;
const HOSTILE = ['loop', 'promise', 'mem', 'heap', 'wasm', 'threads', 'forkbomb', 'stdout', 'disk', 'storm'];
const SLOTS = Math.max(1, Math.min(2, availableParallelism() - 1));
const tree = join(import.meta.dirname, '../scheduler/sandbox/guest');

type Stretches = { quiet: number[]; attacked: number[] };
type Read = () => Promise<number>;

if (process.send) runHostile();
else await measure();

async function measure(): Promise<void> {
  const { holds, reason } = await probeSandbox();
  if (!holds) return console.log(`NOT RUN: ${reason}`);
  const folder = mkdtempSync(join(tmpdir(), 'bench-generators-'));
  const service = await startProcess(folder, { PDM_ROLES: 'store,api,sweeps' });
  const attacker = fork(import.meta.filename, { execArgv: process.execArgv });
  const pool = new Pool(service.url, { connections: 32 });
  try {
    const api = client(`${service.url}/api/v1`, service.token());
    for (let i = 0; i < 20; i++) await api.post('/documents', { name: `Document ${i}`, kind: 'model' });
    const read = reader(pool, service.token());
    // the service makes its page once, some seconds after its start
    for (let warm = 0; warm < 5; warm++) await stretch(read);
    tell(await inTurns(read, attacker));
  } finally {
    attacker.kill();
    await pool.close();
    await service.end('SIGTERM');
    rmSync(folder, { recursive: true });
  }
}

async function inTurns(read: Read, attacker: ChildProcess): Promise<Map<string, Stretches>> {
  const times = new Map(HOSTILE.map((name): [string, Stretches] => [name, { quiet: [], attacked: [] }]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, { quiet, attacked }] of times) {
      if (round % 2 === 0) quiet.push(...(await stretch(read)));
      const stop = attack(attacker, name);
      await wait(300);
      attacked.push(...(await stretch(read)));
      await stop();
      if (round % 2 === 1) quiet.push(...(await stretch(read)));
    }
  }
  return times;
}

function tell(times: Map<string, Stretches>): void {
  for (const [name, stretches] of times) console.log(`${name.padEnd(10)}${figures(stretches)}`);
  const pooled = {
    quiet: [...times.values()].flatMap(({ quiet }) => quiet),
    attacked: [...times.values()].flatMap(({ attacked }) => attacked),
  };
  const middle = quantile([...times.values()].map(ratio), 0.5);
  const long = (reads: readonly number[]) => reads.filter((time) => time > LONG_MS).length;
  console.log(`${pooled.quiet.length} reads each, ${SLOTS} hostile program(s) at once: ${figures(pooled)}`);
  console.log(
    `over ${LONG_MS} ms: ${long(pooled.quiet)} → ${long(pooled.attacked)} reads; the middle of the programs: ${middle.toFixed(2)} times`,
  );
  console.log(`aim: both at most ${AIM} times${Math.max(middle, ratio(pooled)) > AIM ? ': MISSED' : ''}`);
}

function figures({ quiet, attacked }: Stretches): string {
  const pair = (q: number) => `${quantile(quiet, q).toFixed(1)} → ${quantile(attacked, q).toFixed(1)} ms`;
  return `p50 ${pair(0.5)}, p99 ${pair(0.99)}: ${ratio({ quiet, attacked }).toFixed(2)} times`;
}

function ratio({ quiet, attacked }: Stretches): number {
  return quantile(attacked, 0.99) / quantile(quiet, 0.99);
}

/** Reads a page of a list over a connection of its own kept open, to the last byte; answers the milliseconds it took. */
function reader(pool: Pool, token: string): Read {
  const request = {
    method: 'GET',
    path: '/api/v1/documents?limit=10',
    headers: { authorization: `Bearer ${token}` },
  } as const;
  return async () => {
    const begun = performance.now();
    const { statusCode, body } = await pool.request(request);
    await body.arrayBuffer();
    if (statusCode !== 200) throw new Error(`a read was answered with ${statusCode}`);
    return performance.now() - begun;
  };
}

/** Milliseconds of reads that begin one after the other at a steady pace, whether or not those before are answered. */
async function stretch(read: Read): Promise<number[]> {
  const times: Promise<number>[] = [];
  for (let i = 0; i < READS; i++) {
    times.push(read());
    await wait(PACE);
  }
  return Promise.all(times);
}

/** Has the other process run this program over and over, in each slot, until the returned function is called. */
function attack(attacker: ChildProcess, name: string): () => Promise<void> {
  attacker.send({ name });
  return async () => {
    attacker.send({ name: null });
    await once(attacker, 'message');
  };
}

function runHostile(): void {
  let over = new AbortController();
  let running: Promise<unknown> = Promise.resolve();
  process.on('message', async ({ name }: { name: string | null }) => {
    if (name) {
      over = new AbortController();
      running = Promise.all(Array.from({ length: SLOTS }, () => again(name, over.signal)));
    } else {
      over.abort();
      await running;
      process.send?.('over');
    }
  });
}

async function again(name: string, signal: AbortSignal): Promise<void> {
  const program = name === 'storm' ? { entry: '/gen/storm.mjs' } : { entry: '/gen/attacks.mjs', args: [name, '{}'] };
  const limits = { memory: 2 ** 30, scratchBytes: name === 'disk' ? 2 ** 26 : 0 };
  while (!signal.aborted)
    await launch({ ...PROOF, ...program, tree, urgent: false, permission: false, limits }, { signal });
}

function quantile(times: readonly number[], q: number): number {
  return [...times].sort((a, b) => a - b)[Math.floor(times.length * q)] ?? Number.NaN;
}
