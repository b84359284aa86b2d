// How much hostile generators disturb the service beside them: p99 of reads while endless loops, memory hogs, storms of threads and floods of output run in
// the sandbox, as many at once as the scheduler would run, against the same reads while nothing runs, in turns. What runs them is a process of its own, as the
// scheduler is. Run by `node launch.mjs bench/generators.ts`; aim: at most twice. Needs a sandbox (docs/generators.md).
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { launch } from '../scheduler/sandbox/launch.ts';
import { PROOF, probeSandbox } from '../scheduler/sandbox/probe.ts';
import { type Pdm, startPdm } from '../test/support/pdm.ts';

const AIM = 2;
const READS = 200;
const PACE = 16;
const HOSTILE = ['loop', 'promise', 'mem', 'heap', 'wasm', 'threads', 'forkbomb', 'stdout', 'disk', 'storm'];
const SLOTS = Math.max(1, Math.min(2, availableParallelism() - 1));
const tree = join(import.meta.dirname, '../scheduler/sandbox/guest');

if (process.send) runHostile();
else await measure();

async function measure(): Promise<void> {
  const { holds, reason } = await probeSandbox();
  if (!holds) return console.log(`NOT RUN: ${reason}`);
  const attacker = fork(import.meta.filename, { execArgv: process.execArgv });
  const pdm = await startPdm();
  for (let i = 0; i < 20; i++) await pdm.editor.post('/documents', { name: `Document ${i}`, kind: 'model' });
  // the service makes its page once, some seconds after its start
  for (let warm = 0; warm < 3; warm++) await reads(pdm);

  const quiet: number[] = [];
  const attacked: number[] = [];
  for (const name of HOSTILE) {
    const before = await reads(pdm);
    const stop = attack(attacker, name);
    await wait(300);
    const meanwhile = await reads(pdm);
    await stop();
    console.log(`${name.padEnd(10)}${figures(before, meanwhile)}`);
    quiet.push(...before);
    attacked.push(...meanwhile);
  }
  attacker.kill();
  await pdm.close();
  const ratio = quantile(attacked, 0.99) / quantile(quiet, 0.99);
  console.log(
    `${attacked.length} reads each, ${SLOTS} hostile program(s) at once: ${figures(quiet, attacked)}, aim ${AIM}${ratio > AIM ? ': MISSED' : ''}`,
  );
}

function figures(quiet: readonly number[], attacked: readonly number[]): string {
  const pair = (q: number) => `${quantile(quiet, q).toFixed(1)} → ${quantile(attacked, q).toFixed(1)} ms`;
  return `p50 ${pair(0.5)}, p99 ${pair(0.99)}: ${(quantile(attacked, 0.99) / quantile(quiet, 0.99)).toFixed(2)} times`;
}

/** Milliseconds of reads that begin one after the other at a steady pace, whether or not those before are answered. */
async function reads({ viewer }: Pdm): Promise<number[]> {
  const times: Promise<number>[] = [];
  for (let i = 0; i < READS; i++) {
    const begun = performance.now();
    times.push(viewer.get('/documents?limit=10').then(() => performance.now() - begun));
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
  while (!signal.aborted) await launch({ ...PROOF, ...program, tree, urgent: false, permission: false, limits }, { signal });
}

function quantile(times: readonly number[], q: number): number {
  return [...times].sort((a, b) => a - b)[Math.floor(times.length * q)] ?? Number.NaN;
}
