import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { GridFSBucket, type ObjectId } from 'mongodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { needs } from '../../test/support/needs.ts';
import { type TestServer, testServer } from './server.ts';

const MIB = 2 ** 20;
let server: TestServer;
let bucket: GridFSBucket;

beforeAll(async () => {
  server = await testServer();
  bucket = new GridFSBucket(server.db, { writeConcern: { w: 'majority', journal: true } });
});
afterAll(() => server.close());

async function upload(size: number): Promise<{ id: ObjectId; hash: string }> {
  const block = randomBytes(MIB);
  const hash = createHash('sha256');
  function* blocks() {
    for (let left = size; left > 0; left -= MIB) {
      const part = left < MIB ? block.subarray(0, left) : block;
      hash.update(part);
      yield part;
    }
  }
  const stream = bucket.openUploadStream('file');
  await pipeline(Readable.from(blocks()), stream);
  return { id: stream.id, hash: hash.digest('hex') };
}

async function hashOf(stream: Readable): Promise<{ hash: string; length: number }> {
  const hash = createHash('sha256');
  let length = 0;
  for await (const part of stream) {
    hash.update(part);
    length += part.length;
  }
  return { hash: hash.digest('hex'), length };
}

test('returns an uploaded file unchanged', async () => {
  const size = 20 * MIB + 12_345;
  const { id, hash } = await upload(size);
  expect(await hashOf(bucket.openDownloadStream(id))).toEqual({ hash, length: size });
  expect(await hashOf(bucket.openDownloadStream(id, { start: 1_000_000, end: 1_300_000 }))).toMatchObject({
    length: 300_000,
  });
  expect((await bucket.find({ _id: id }).toArray())[0]?.length).toBe(size);
  await bucket.delete(id);
  expect(await server.db.collection('fs.chunks').findOne({})).toBeNull();
});

test('reads chunks by index', async () => {
  const { id } = await upload(MIB);
  const plan = await server.db.collection('fs.chunks').find({ files_id: id }).sort({ n: 1 }).explain('queryPlanner');
  const winner = JSON.stringify(plan.queryPlanner.winningPlan);
  expect(winner).toContain('IXSCAN');
  expect(winner).not.toContain('"SORT"');
  if (server.embedded) expect(winner).toContain('files_id_1_n_1');
});

const bigFiles = needs('long tests', Boolean(process.env.STORE_BIG_FILES));
test.skipIf(bigFiles.isMissing)(
  bigFiles.title('keeps the memory of the client low for a file of 500 MB'),
  { timeout: 120_000 },
  async () => {
    const size = 500 * MIB;
    const before = process.memoryUsage().rss;
    const { id, hash } = await upload(size);
    expect(await hashOf(bucket.openDownloadStream(id))).toEqual({ hash, length: size });
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * MIB);
  },
);
