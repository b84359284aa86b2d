import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { afterAll, expect, test, vi } from 'vitest';
import { startStore } from '../process/supervisor.ts';
import { createWriteWorkload } from './write-workload.ts';

// STORE_KILLS=25 tests more kills; three keep the suite short.
const ROUNDS = Number(process.env.STORE_KILLS ?? 3);
const folder = mkdtempSync(join(tmpdir(), 'store-kill-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// Each round verifies all documents: a new collection from time to time keeps that short.
const ROUNDS_PER_COLLECTION = 10;

test(`loses no acknowledged write and leaves none half done after ${ROUNDS} kills at random moments`, {
  timeout: 30_000 * ROUNDS,
}, async () => {
  const lines: string[] = [];
  const start = () =>
    startStore({ dataDir: folder, log: (line) => lines.push(line), onFatal: (reason) => lines.push(reason) });
  let workload = createWriteWorkload();
  for (let round = 0; round < ROUNDS; round++) {
    const store = await start();
    const client = await MongoClient.connect(store.uri, { serverSelectionTimeoutMS: 3_000, retryWrites: false });
    if (round % ROUNDS_PER_COLLECTION === 0) {
      workload = createWriteWorkload();
      await client.db('workload').dropDatabase();
      await workload.prepare(client.db('workload'));
    }
    const killed = Promise.withResolvers<never>();
    const work = workload.run(client, round, killed.promise);
    await after(300 + Math.random() * 700);
    // On a busy machine the first write of a kind takes longer.
    await vi.waitFor(() => expect(Object.values(workload.counts())).not.toContain(0), 20_000);
    process.kill(store.pid(), 'SIGKILL');
    killed.reject(new Error('killed'));
    await work;
    // In this order: a driver that closes a connection while it waits to continue writing never returns.
    await store.stop();
    await client.close(true);

    const again = await start();
    const reader = await MongoClient.connect(again.uri);
    expect(await workload.findLosses(reader.db('workload'))).toEqual([]);
    await reader.close();
    await again.stop();
  }
});
