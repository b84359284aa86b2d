// Moves a large store to a MongoDB server and back, killed at twelve points: while it copies, while the target
// creates an index, after that, and while it switches over. Compares all records and indexes.

import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Binary, type Db, ObjectId } from 'mongodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startStore } from '../../embedded/process/supervisor.ts';
import { connectMongo, connectServer } from '../../subgraphs/core/store/mongo.ts';
import { needs } from '../support/needs.ts';

const server = needs('MongoDB server');
const MEGABYTES = Number(process.env.PDM_TEST_MIGRATE_MB ?? 2_000);
const DOCUMENTS = 10_000;
const BATCH = 500;
// A batch of the migration contains about eight chunks of a megabyte.
const QUARTER = Math.ceil(MEGABYTES / 8 / 4);
// Calls after which the migration is killed. Each attempt continues where the previous one ended.
const KILL_POINTS = {
  there: [
    'insertMany documents 10',
    `insertMany files.chunks ${QUARTER}`,
    `insertMany files.chunks ${QUARTER}`,
    'createIndexes documents 1 unanswered',
    'createIndexes documents 1',
    'createIndexes files.chunks 1',
    'replaceOne format 1',
  ],
  back: [
    'insertMany documents 10',
    `insertMany files.chunks ${QUARTER}`,
    'createIndexes documents 1 unanswered',
    'createIndexes documents 1',
    'replaceOne format 1',
  ],
} as const;

describe.skipIf(server.isMissing)(server.title('a migration to a MongoDB server'), () => {
  const home = mkdtempSync(join(tmpdir(), 'pdm-migrate-'));
  const name = `migrate_${Date.now().toString(36)}`;
  const url = (process.env.MONGODB_URL ?? '').replace(/^(mongodb(?:\+srv)?:\/\/[^/?]+)\/?([^?]*)/, `$1/${name}`);
  const [dataDir, returned] = [join(home, 'data'), join(home, 'returned')];
  let target: Awaited<ReturnType<typeof connectServer>>;
  beforeAll(async () => {
    target = await connectServer(url);
    mkdirSync(returned);
    await withEmbedded(dataDir, fill);
  }, 600_000);
  afterAll(async () => {
    await target.db.dropDatabase();
    await target.client.close();
    rmSync(home, { recursive: true, force: true });
  });

  test('loses and changes nothing', { timeout: 3_600_000 }, async () => {
    const before = await withEmbedded(dataDir, summarize);
    for (const point of KILL_POINTS.there) {
      expect(await once(migrate(dataDir, [url], point), 'exit'), point).toEqual([null, 'SIGKILL']);
      await expect(connectMongo(url), point).rejects.toThrow('the migration to it has not ended');
    }
    // The last kill was between the two records of the switch-over.
    await expect(withEmbedded(dataDir, async () => {}, connectMongo)).rejects.toThrow('was moved to the server');
    expect(await once(migrate(dataDir, [url]), 'exit')).toEqual([0, null]);
    expect(await summarize(target.db)).toEqual(before);
    await expect(withEmbedded(dataDir, async () => {}, connectMongo)).rejects.toThrow('was moved to the server');

    for (const point of KILL_POINTS.back) {
      expect(await once(migrate(returned, ['--back', url], point), 'exit'), point).toEqual([null, 'SIGKILL']);
      await expect(
        withEmbedded(returned, async () => {}, connectMongo),
        point,
      ).rejects.toThrow('the migration to it has not ended');
    }
    await expect(connectMongo(url)).rejects.toThrow('was moved to the data folder');
    expect(await once(migrate(returned, ['--back', url]), 'exit')).toEqual([0, null]);
    expect(await withEmbedded(returned, summarize)).toEqual(before);
  });
});

function migrate(dataDir: string, args: readonly string[], killPoint?: string): ChildProcess {
  const preload = killPoint ? ['--import', './test/support/kill-point.ts'] : [];
  return spawn(process.execPath, [...preload, 'app/pdm.ts', 'migrate', ...args], {
    cwd: join(import.meta.dirname, '../..'),
    env: { ...process.env, MONGODB_URL: '', PDM_DATA_DIR: dataDir, PDM_TEST_KILL_POINT: killPoint },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

async function withEmbedded<R>(
  dataDir: string,
  work: (db: Db) => Promise<R>,
  connect: (url: string) => Promise<{ client: { close(): Promise<void> }; db: Db }> = connectServer,
): Promise<R> {
  const store = await startStore({ dataDir: join(dataDir, 'store'), log: () => {}, onFatal: () => {} });
  try {
    const { client, db } = await connect(store.uri);
    try {
      return await work(db);
    } finally {
      await client.close();
    }
  } finally {
    await store.stop();
  }
}

async function fill(db: Db): Promise<void> {
  const documents = db.collection<{ _id: string; number: string; text: string; createdAt: Date }>('documents');
  for (let from = 0; from < DOCUMENTS; from += BATCH)
    await documents.insertMany(
      Array.from({ length: BATCH }, (_, i) => ({
        _id: `doc_${from + i}`,
        number: `PRT-${from + i}`,
        text: randomBytes(300).toString('hex'),
        createdAt: new Date(),
      })),
    );
  await documents.createIndex({ number: 1 }, { unique: true });
  const chunks = db.collection('files.chunks');
  for (let n = 0; n < MEGABYTES; n++)
    await chunks.insertOne({ files_id: new ObjectId(), n, data: new Binary(randomBytes(2 ** 20)) });
  await chunks.createIndex({ files_id: 1, n: 1 }, { unique: true });
}

/** A hash of the records and the indexes of each collection. */
async function summarize(db: Db): Promise<Record<string, unknown>> {
  const summary: Record<string, unknown> = {};
  for (const name of ['documents', 'files.chunks']) {
    const hash = createHash('sha256');
    for await (const record of db.collection(name).find<Uint8Array>({}, { raw: true, sort: { _id: 1 } }))
      hash.update(record);
    const indexes = (await db.collection(name).indexes()).map(({ key, unique = false }) => ({ key, unique }));
    summary[name] = { sha256: hash.digest('hex'), indexes };
  }
  return summary;
}
