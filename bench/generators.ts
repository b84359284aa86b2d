// How much hostile generators disturb the service beside them: p99 of a read while endless loops, memory hogs and floods of output run in the sandbox, as many at
// once as the scheduler would run, against the same reads while nothing runs. Run by `node launch.mjs bench/generators.ts`; aim: at most twice. Needs a sandbox (docs/generators.md).
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { launch } from '../scheduler/sandbox/launch.ts';
import { PROOF, probeSandbox } from '../scheduler/sandbox/probe.ts';
import { type Pdm, startPdm } from '../test/support/pdm.ts';

const AIM = 2;
const ROUNDS = 4;
const READS = 250;
const PACE = 10;
const HOSTILE = ['loop', 'mem', 'promise', 'stdout'];
const SLOTS = Math.max(1, Math.min(2, availableParallelism() - 1));
const tree = join(import.meta.dirname, '../scheduler/sandbox/guest');

const { holds, reason } = await probeSandbox();
if (!holds) {
  console.log(`NOT RUN: ${reason}`);
  process.exit(0);
}
const pdm = await startPdm();
for (let i = 0; i < 20; i++) await pdm.editor.post('/documents', { name: `Document ${i}`, kind: 'model' });
await reads(pdm);

const quiet: number[] = [];
const attacked: number[] = [];
for (let round = 0; round < ROUNDS; round++) {
  quiet.push(...(await reads(pdm)));
  const over = new AbortController();
  const attack = Promise.all(Array.from({ length: SLOTS }, (_, slot) => hostile(HOSTILE[(round + slot) % HOSTILE.length] ?? 'loop', over.signal)));
  await wait(300);
  attacked.push(...(await reads(pdm)));
  over.abort();
  await attack;
}
await pdm.close();
const [before, meanwhile] = [p99(quiet), p99(attacked)];
const ratio = meanwhile / before;
console.log(
  `reads, p99: ${before.toFixed(1)} ms, with ${SLOTS} hostile programs at once ${meanwhile.toFixed(1)} ms: ${ratio.toFixed(2)} times, aim ${AIM}${ratio > AIM ? ': MISSED' : ''}`,
);

/** Milliseconds of reads that begin one after the other at a steady pace. */
async function reads({ viewer }: Pdm): Promise<number[]> {
  const times: Promise<number>[] = [];
  for (let i = 0; i < READS; i++) {
    const begun = performance.now();
    times.push(viewer.get('/documents').then(() => performance.now() - begun));
    await wait(PACE);
  }
  return Promise.all(times);
}

/** One hostile program after the other, each in a sandbox of its own, until the signal. */
async function hostile(name: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted)
    await launch({ ...PROOF, tree, entry: '/gen/attacks.mjs', args: [name, '{}'], permission: false, limits: { memory: 2 ** 30 } }, { signal });
}

function p99(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN;
}
