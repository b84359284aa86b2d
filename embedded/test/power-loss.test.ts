import { execFileSync } from 'node:child_process';
import { closeSync, fstatSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needs } from '../../test/support/needs.ts';
import { createSimulatedDisk, type LogEntry, parseWriteLog, type SimulatedDisk } from './simulated-disk.ts';
import { startProcess } from './store-process.ts';
import { createWriteWorkload, type WriteWorkload } from './write-workload.ts';

// STORE_POWER_LOSSES=500 tests more points; each point starts the store once.
const POINTS = Number(process.env.STORE_POWER_LOSSES ?? 8);
const WRITES_LOST = 40;
const MAX_CONCURRENT = 2;
const home = mkdtempSync(join(tmpdir(), 'store-power-'));
const library = join(home, 'write-recorder.so');
const recorded = join(home, 'recorded');
const log = join(home, 'writes.log');
const compiler = needs('cc');
afterAll(() => rmSync(home, { recursive: true, force: true }));

let workload: WriteWorkload;
let entries: LogEntry[];

// Runs a workload on a store and records its writes. Each response is recorded with the position in the write log.
async function recordWorkload(): Promise<void> {
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
  await client.db('workload').createCollection('first');
  const logFile = openSync(log, 'r');
  workload = createWriteWorkload({ logPosition: () => fstatSync(logFile).size, fileSize: 300_000 });
  await workload.prepare(client.db('workload'));
  const stop = Date.now() + (POINTS > 100 ? 5_000 : 1_000);
  await workload.run(client, 0, new Promise(() => undefined), () => Date.now() < stop);
  await client.close();
  store.child.kill('SIGTERM');
  await store.ended;
  closeSync(logFile);
  entries = parseWriteLog(readFileSync(log));
}

// Replays the log and simulates a power loss at random entries. Returns the losses at each of them.
async function findLossesAfterPowerLoss(
  simulatedDisk: SimulatedDisk,
  count: number,
  probabilities: readonly number[],
): Promise<string[][]> {
  // Before the first sync of the data file, the store has acknowledged nothing.
  const first = entries.findIndex(({ kind, name }) => kind === 'e' && name === 'store.mdb') + 1;
  const pointIndexes = new Set(
    Array.from({ length: count }, () => first + Math.floor(Math.random() * (entries.length - first))),
  );
  const found: string[][] = [];
  let running: Promise<void>[] = [];
  for (const [at, entry] of entries.entries()) {
    simulatedDisk.apply(entry);
    if (!pointIndexes.has(at)) continue;
    const files = simulatedDisk.contentAfterPowerLoss(probabilities[at % probabilities.length] ?? 0);
    running.push(inspectFiles(join(home, `point-${at}`), files, entry.to).then((losses) => void found.push(losses)));
    if (running.length < MAX_CONCURRENT) continue;
    await Promise.all(running);
    running = [];
  }
  await Promise.all(running);
  return found;
}

async function inspectFiles(folder: string, files: Map<string, Buffer>, logPosition: number): Promise<string[]> {
  mkdirSync(folder);
  for (const [name, content] of files) writeFileSync(join(folder, name), content);
  const store = await startProcess(folder);
  try {
    if (!store.uri) return [`the store does not open: ${await store.ended}`];
    return await readBack(store.uri, logPosition);
  } finally {
    store.child.kill('SIGKILL');
    await store.ended;
    rmSync(folder, { recursive: true });
  }
}

async function readBack(uri: string, logPosition: number): Promise<string[]> {
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: 5_000, socketTimeoutMS: 10_000 });
  try {
    return await workload.findLosses(client.db('workload'), logPosition);
  } catch (error) {
    return [`the store cannot be read: ${error instanceof Error ? error.message : error}`];
  } finally {
    await Promise.race([client.close(true), after(1_000)]);
  }
}

describe.skipIf(compiler.isMissing)(compiler.title('after a power loss'), { timeout: 60_000 + 2_000 * POINTS }, () => {
  beforeAll(recordWorkload);

  test('the recorded writes reproduce the files of the store', () => {
    const simulatedDisk = createSimulatedDisk();
    for (const entry of entries) simulatedDisk.apply(entry);
    expect(workload.counts().inserted).toBeGreaterThan(0);
    for (const [name, content] of simulatedDisk.content())
      expect(content.equals(readFileSync(join(recorded, name))), name).toBe(true);
  });

  test(`loses no acknowledged write at ${POINTS} random points`, async () => {
    const found = await findLossesAfterPowerLoss(createSimulatedDisk(), POINTS, [0.5, 0.9, 0.1, 1, 0]);
    expect(found.filter((losses) => losses.length > 0)).toEqual([]);
  });

  test('detects losses on a disk that ignores syncs', async () => {
    const found = await findLossesAfterPowerLoss(
      createSimulatedDisk({ ignoreSyncs: WRITES_LOST }),
      Math.max(5, POINTS / 10),
      [0.5],
    );
    expect(found.filter((losses) => losses.length > 0).length).toBeGreaterThan(found.length / 3);
  });
});
