import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, fstatSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Acknowledged, acknowledged } from './acknowledged.ts';
import { type Disk, disk, type Entry, entriesOf } from './replay.ts';
import { startProcess } from './store-process.ts';

// STORE_POWER_LOSSES=500 for the long proof; each point starts the store once.
const POINTS = Number(process.env.STORE_POWER_LOSSES ?? 8);
const WRITES_LOST = 40;
const AT_ONCE = 2;
const home = mkdtempSync(join(tmpdir(), 'store-power-'));
const library = join(home, 'write-recorder.so');
const recorded = join(home, 'recorded');
const log = join(home, 'writes.log');
const compiler = process.platform === 'linux' && spawnSync('cc', ['--version']).status === 0;
afterAll(() => rmSync(home, { recursive: true, force: true }));

let kept: Acknowledged;
let entries: Entry[];

// Records a store at work: every answer is noted with the place the log of writes had reached by then.
async function record(): Promise<void> {
  execFileSync('cc', [
    '-shared',
    '-fPIC',
    '-o',
    library,
    join(import.meta.dirname, 'write-recorder.c'),
    '-ldl',
    '-lpthread',
  ]);
  const store = await startProcess(recorded, { LD_PRELOAD: library, RECORDED: recorded, WRITE_LOG: log });
  const client = await MongoClient.connect(store.uri ?? '');
  await client.db('kept').createCollection('first');
  const growing = openSync(log, 'r');
  kept = acknowledged({ place: () => fstatSync(growing).size, fileSize: 300_000 });
  await kept.prepare(client.db('kept'));
  const stop = Date.now() + (POINTS > 100 ? 5_000 : 1_000);
  await kept.work(client, 0, new Promise(() => undefined), () => Date.now() < stop);
  await client.close();
  store.child.kill('SIGTERM');
  await store.ended;
  closeSync(growing);
  entries = entriesOf(readFileSync(log));
}

// Goes through the log once and cuts the power at points by chance; answers what each point shows, [] when all is well.
async function cut(machine: Disk, points: number, chances: readonly number[]): Promise<string[][]> {
  // A store that never answered has nothing to lose.
  const first = entries.findIndex(({ kind, name }) => kind === 'e' && name === 'store.mdb') + 1;
  const places = new Set(
    Array.from({ length: points }, () => first + Math.floor(Math.random() * (entries.length - first))),
  );
  const found: string[][] = [];
  let running: Promise<void>[] = [];
  for (const [at, entry] of entries.entries()) {
    machine.take(entry);
    if (!places.has(at)) continue;
    const torn = machine.torn(chances[at % chances.length] ?? 0);
    running.push(look(join(home, `point-${at}`), torn, entry.to).then((problems) => void found.push(problems)));
    if (running.length < AT_ONCE) continue;
    await Promise.all(running);
    running = [];
  }
  await Promise.all(running);
  return found;
}

async function look(folder: string, files: Map<string, Buffer>, place: number): Promise<string[]> {
  mkdirSync(folder);
  for (const [name, content] of files) writeFileSync(join(folder, name), content);
  const store = await startProcess(folder);
  try {
    if (!store.uri) return [`the store does not open: ${await store.ended}`];
    return await readBack(store.uri, place);
  } finally {
    store.child.kill('SIGKILL');
    await store.ended;
    rmSync(folder, { recursive: true });
  }
}

async function readBack(uri: string, place: number): Promise<string[]> {
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: 5_000, socketTimeoutMS: 10_000 });
  try {
    return await kept.problems(client.db('kept'), place);
  } catch (error) {
    return [`it cannot be read: ${error instanceof Error ? error.message : error}`];
  } finally {
    await Promise.race([client.close(true), after(1_000)]);
  }
}

describe.runIf(compiler)(
  'when the power goes (not run without a C compiler)',
  { timeout: 60_000 + 2_000 * POINTS },
  () => {
    beforeAll(record);

    test('the record of all writes makes the files that are there', () => {
      const machine = disk();
      for (const entry of entries) machine.take(entry);
      expect(kept.counts().inserted).toBeGreaterThan(0);
      for (const [name, content] of machine.written())
        expect(content.equals(readFileSync(join(recorded, name))), name).toBe(true);
    });

    test(`nothing acknowledged is lost and nothing is unreadable at ${POINTS} points`, async () => {
      const found = await cut(disk(), POINTS, [0.5, 0.9, 0.1, 1, 0]);
      expect(found.filter((problems) => problems.length > 0)).toEqual([]);
    });

    test('on a disk that only says it syncs, the same is clearly seen to fail', async () => {
      const found = await cut(disk({ deaf: WRITES_LOST }), Math.max(5, POINTS / 10), [0.5]);
      expect(found.filter((problems) => problems.length > 0).length).toBeGreaterThan(found.length / 3);
    });
  },
);
