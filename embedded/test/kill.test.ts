import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { type Db, GridFSBucket, MongoClient, type ObjectId } from 'mongodb';
import { afterAll, expect, test } from 'vitest';
import { startStore } from '../starter.ts';

// STORE_KILLS=25 for a longer proof; three rounds keep the suite short.
const ROUNDS = Number(process.env.STORE_KILLS ?? 3);
const folder = mkdtempSync(join(tmpdir(), 'store-kill-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What was acknowledged, over all rounds. */
const inserted = new Set<string>();
const counted = new Map<string, number>();
const attempted = new Map<string, number>();
const committed = new Set<string>();
const files = new Map<ObjectId, string>();

test(`nothing acknowledged is lost or half there after ${ROUNDS} kills at random moments`, { timeout: 30_000 * ROUNDS }, async () => {
  const lines: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const store = await startStore({ dataDir: folder, log: (line) => lines.push(line), onFatal: (reason) => lines.push(reason) });
    const client = await MongoClient.connect(store.uri, { serverSelectionTimeoutMS: 3_000, retryWrites: false });
    const db = client.db('kill');
    await db.collection('inserted').createIndex({ round: 1 });
    if (round === 0) await db.createCollection('committed');
    const killed = Promise.withResolvers<never>();
    const work = startWork(client, db, round, killed.promise);
    await after(300 + Math.random() * 700);
    process.kill(store.pid(), 'SIGKILL');
    killed.reject(new Error('killed'));
    await work;
    await client.close(true);
    await store.stop();
    await verify(lines);
  }
  expect(inserted.size).toBeGreaterThan(0);
  expect(committed.size).toBeGreaterThan(0);
});

// Each worker goes on until the store is gone; only what was answered counts.
async function startWork(client: MongoClient, db: Db, round: number, killed: Promise<never>): Promise<void> {
  const untilGone = async (step: (i: number) => Promise<void>): Promise<void> => {
    for (let i = 0; ; i++) {
      try {
        // Some calls of a driver whose server is gone never end.
        await Promise.race([step(i), killed]);
      } catch {
        return; // the store was killed: what was not acknowledged by now is not remembered
      }
    }
  };
  const work: Promise<void>[] = [];
  for (let worker = 0; worker < 8; worker++) {
    work.push(
      untilGone(async (i) => {
        const _id = `${round}-${worker}-${i}`;
        await db.collection<{ _id: string }>('inserted').insertOne({ _id, ...{ round, pad: 'x'.repeat(200) } });
        inserted.add(_id);
      }),
    );
  }
  for (let worker = 0; worker < 4; worker++) {
    const _id = `counter ${worker}`;
    work.push(
      untilGone(async () => {
        attempted.set(_id, (attempted.get(_id) ?? 0) + 1);
        await db.collection<{ _id: string; v: number }>('counted').updateOne({ _id }, { $inc: { v: 1 } }, { upsert: true });
        counted.set(_id, (counted.get(_id) ?? 0) + 1);
      }),
    );
  }
  for (let worker = 0; worker < 2; worker++) {
    work.push(
      untilGone(async (i) => {
        const name = `${round}-${worker}-${i}`;
        const session = client.startSession();
        session.startTransaction();
        for (let part = 0; part < 3; part++) {
          await db.collection<{ _id: string; name: string }>('committed').insertOne({ _id: `${name}-${part}`, name }, { session });
        }
        await session.commitTransaction();
        committed.add(name);
        await session.endSession();
      }),
    );
  }
  work.push(
    untilGone(async () => {
      const bytes = randomBytes(1_500_000);
      const stream = new GridFSBucket(db).openUploadStream('file');
      await new Promise((resolve, reject) => stream.on('finish', resolve).on('error', reject).end(bytes));
      files.set(stream.id, createHash('sha256').update(bytes).digest('hex'));
    }),
  );
  await Promise.all(work);
}

async function verify(lines: string[]): Promise<void> {
  const store = await startStore({ dataDir: folder, log: (line) => lines.push(line), onFatal: (reason) => lines.push(reason) });
  const client = await MongoClient.connect(store.uri);
  const db = client.db('kill');
  try {
    const present = new Set((await db.collection<{ _id: string }>('inserted').find().toArray()).map(({ _id }) => _id));
    expect([...inserted].filter((id) => !present.has(id))).toEqual([]);
    expect(
      await db
        .collection('inserted')
        .find({ round: { $gte: 0 } }, { hint: 'round_1' })
        .toArray(),
    ).toHaveLength(present.size);
    expect(await db.collection('inserted').estimatedDocumentCount()).toBe(present.size);
    for (const { _id, v } of await db.collection<{ _id: string; v: number }>('counted').find().toArray()) {
      expect(v).toBeGreaterThanOrEqual(counted.get(_id) ?? 0);
      expect(v).toBeLessThanOrEqual(attempted.get(_id) ?? 0);
    }
    const parts = Map.groupBy(await db.collection<{ _id: string; name: string }>('committed').find().toArray(), ({ name }) => name);
    expect([...parts].filter(([, found]) => found.length !== 3)).toEqual([]);
    expect([...committed].filter((name) => !parts.has(name))).toEqual([]);
    for (const [id, hash] of files) {
      const found = createHash('sha256');
      for await (const part of new GridFSBucket(db).openDownloadStream(id)) found.update(part);
      expect(found.digest('hex')).toBe(hash);
    }
  } finally {
    await client.close();
    await store.stop();
  }
}
