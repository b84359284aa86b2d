// Throughput of the embedded store through the MongoDB driver, compared to the server at MONGODB_URL in the same run.
// The embedded store syncs acknowledged writes; MONGODB_SYNCS=yes or no states whether the other server does.
// STORE_GIB=1 also measures the time to the first response of a store of that size after a stop and after a kill.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { type ClientSession, type Collection, type Db, GridFSBucket, MongoClient, type ObjectId } from 'mongodb';
import { startStore } from '../embedded/process/supervisor.ts';

const WINDOW_MS = Number(process.env.BENCH_WINDOW_MS ?? 600);
const ROUNDS = 3;
const CLIENTS = [1, 32] as const;
const DOCUMENTS = 5_000;
const GROUPS = 50;
const FILE_MIB = 50;
const TARGET_PING_MS = 20;
const TARGET_FIRST_RESPONSE_MS = 300;
const TARGET_MB_PER_S = { up: 100, down: 200 };

type Item = { _id: string; group: number; at: Date; name: string; text: string; count: number };
type Server = { name: string; client: MongoClient; db: Db; items: Collection<Item> };
type Operation = { name: string; run(server: Server, n: number, session: ClientSession): Promise<unknown> };

let created = 0;
const createItem = (n: number): Item => ({
  _id: `item ${n}`,
  group: n % GROUPS,
  at: new Date(1_700_000_000_000 + n * 1000),
  name: `name ${n % 997}`,
  text: 'x'.repeat(180),
  count: 0,
});
const randomId = () => `item ${Math.floor(Math.random() * DOCUMENTS)}`;
const newItem = () => createItem(DOCUMENTS + created++);

const OPERATIONS: Operation[] = [
  { name: 'insertOne, 3 indexes', run: ({ items }) => items.insertOne(newItem()) },
  { name: 'findOne by _id', run: ({ items }) => items.findOne({ _id: randomId() }) },
  {
    name: 'findOneAndUpdate $inc',
    run: ({ items }) => items.findOneAndUpdate({ _id: randomId() }, { $inc: { count: 1 } }),
  },
  {
    name: 'indexed find, sort, limit 20',
    run: ({ items }, n) =>
      items
        .find({ group: n % GROUPS })
        .sort({ at: -1 })
        .limit(20)
        .toArray(),
  },
  {
    name: 'transaction of 2 inserts and 1 update',
    run: ({ items }, _, session) =>
      session.withTransaction(async () => {
        await items.insertOne(newItem(), { session });
        await items.insertOne(newItem(), { session });
        await items.updateOne({ _id: randomId() }, { $inc: { count: 1 } }, { session });
      }),
  },
];

async function openServer(name: string, uri: string): Promise<Server> {
  const client = await MongoClient.connect(uri, { maxPoolSize: 40, writeConcern: { w: 'majority', journal: true } });
  const db = client.db(`bench_${process.pid}_${Date.now().toString(36)}`);
  const items = db.collection<Item>('items');
  await items.createIndexes([{ key: { group: 1, at: 1 } }, { key: { name: 1 } }]);
  await items.insertMany(Array.from({ length: DOCUMENTS }, (_, n) => createItem(n)));
  return { name, client, db, items };
}

// Measures the servers in turn, so that other load affects both, and returns the median rates.
async function compare(servers: Server[], operation: Operation, clients: number): Promise<number[]> {
  const rounds: number[][] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const rates: number[] = [];
    for (const server of servers) rates.push(await measureRate(server, operation, clients));
    rounds.push(rates);
  }
  return servers.map((_, at) => median(rounds.map((rates) => rates[at] ?? 0)));
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

async function measureRate(server: Server, operation: Operation, clients: number): Promise<number> {
  let done = 0;
  const start = performance.now();
  const end = start + WINDOW_MS;
  const client = () =>
    server.client.withSession(async (session) => {
      while (performance.now() < end) await operation.run(server, done++, session);
    });
  await Promise.all(Array.from({ length: clients }, client));
  return done / ((performance.now() - start) / 1000);
}

async function measureFileRates({ db }: Server): Promise<{ up: number; down: number }> {
  const bucket = new GridFSBucket(db);
  const bytes = randomBytes(FILE_MIB * 2 ** 20);
  const rates = { up: 0, down: 0 };
  for (let round = 0; round < 3; round++) {
    const start = performance.now();
    const upload = bucket.openUploadStream('file');
    await new Promise((resolve, reject) => upload.on('finish', resolve).on('error', reject).end(bytes));
    const uploaded = performance.now();
    rates.up = Math.max(rates.up, bytes.length / 1e3 / (uploaded - start));
    assert.equal(await lengthOf(bucket, upload.id), bytes.length);
    rates.down = Math.max(rates.down, bytes.length / 1e3 / (performance.now() - uploaded));
    await bucket.delete(upload.id);
  }
  return rates;
}

async function lengthOf(bucket: GridFSBucket, id: ObjectId): Promise<number> {
  let length = 0;
  for await (const chunk of bucket.openDownloadStream(id)) length += (chunk as Buffer).length;
  return length;
}

// The minimum time of a durable commit: appending a record and a sync.
const RECORD_BYTES = 1_000;
function measureMinCommit(folder: string): number {
  const commits = 200;
  const file = openSync(join(folder, 'sync'), 'w');
  writeSync(file, Buffer.alloc(commits * RECORD_BYTES));
  fdatasyncSync(file);
  const record = Buffer.alloc(RECORD_BYTES, 1);
  const times = Array.from({ length: commits }, (_, n) => {
    const start = performance.now();
    writeSync(file, record, 0, record.length, n * RECORD_BYTES);
    fdatasyncSync(file);
    return performance.now() - start;
  });
  closeSync(file);
  return median(times);
}

// The longest ping of another client during expensive operations.
async function measurePings({ db }: Server, uri: string): Promise<void> {
  const pinger = new Worker(new URL(import.meta.url), { workerData: uri });
  const takeLongestPing = async (): Promise<number> => {
    pinger.postMessage(null);
    const [longest] = await once(pinger, 'message');
    return longest;
  };
  const many = db.collection<Item>('many');
  for (let n = 0; n < 60_000; n += 5_000)
    await many.insertMany(Array.from({ length: 5_000 }, (_, k) => createItem(n + k)));
  const operations: [string, () => Promise<unknown>][] = [
    ['idle for a second', () => pause(1_000)],
    [
      'insertMany of 5,000',
      () => db.collection<Item>('more').insertMany(Array.from({ length: 5_000 }, (_, n) => createItem(n))),
    ],
    ['scan of 60,000', () => many.countDocuments({ text: 'none' })],
    [
      '$group of 60,000',
      () => many.aggregate([{ $group: { _id: '$name', n: { $sum: 1 }, last: { $max: '$at' } } }]).toArray(),
    ],
    ['sort of 60,000', () => many.find().sort({ name: 1 }).limit(20_000).toArray()],
    ['index build over 60,000', () => many.createIndex({ name: 1, at: -1 })],
    ['update of 60,000', () => many.updateMany({}, { $set: { text: 'y' } })],
    ['delete of 60,000', () => many.deleteMany({})],
    ['drop', () => many.drop()],
  ];
  for (const [name, run] of operations) {
    await takeLongestPing();
    const start = performance.now();
    await run();
    const took = performance.now() - start;
    const longest = await takeLongestPing();
    console.log(
      `  ${name}: ${Math.round(took)} ms, longest ping ${longest.toFixed(0)} ms (target: ≤ ${TARGET_PING_MS})`,
    );
  }
  await pinger.terminate();
}

async function measureFirstResponse(gib: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-store-'));
  const startServer = () =>
    startStore({ dataDir: folder, log: () => undefined, onFatal: (reason) => console.error(reason) });
  const store = await startServer();
  const client = await MongoClient.connect(store.uri);
  const documents = client.db('big').collection<Item>('items');
  await documents.createIndex({ group: 1, at: 1 });
  const pad = 'x'.repeat(3_600);
  for (let n = 0; n < gib * 262_144; n += 2_000)
    await documents.insertMany(Array.from({ length: 2_000 }, (_, k) => ({ ...createItem(n + k), text: pad })));
  await client.close();
  await store.stop();
  for (const ending of ['stop', 'kill']) {
    const times: number[] = [];
    for (let round = 0; round < 5; round++) {
      const start = performance.now();
      const restarted = await startServer();
      const reader = await MongoClient.connect(restarted.uri);
      assert(await reader.db('big').collection<Item>('items').findOne({ _id: 'item 77' }));
      times.push(performance.now() - start);
      // A write invalidates what the last stop recorded.
      if (ending === 'kill') await reader.db('big').collection('others').insertOne({ round });
      await reader.close();
      if (ending === 'kill') process.kill(restarted.pid(), 'SIGKILL');
      await restarted.stop();
    }
    // The first round after a kill follows a stop.
    const results = (ending === 'kill' ? times.slice(1) : times).map((time) => Math.round(time)).join(', ');
    console.log(
      `first response of a store of ${gib} GiB after a ${ending}: ${results} ms (target: ≤ ${TARGET_FIRST_RESPONSE_MS})`,
    );
  }
  rmSync(folder, { recursive: true });
}

if (isMainThread) await measure();
else await runPinger();

async function measure(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-store-'));
  const store = await startStore({
    dataDir: folder,
    log: (line) => console.error(line),
    onFatal: (reason) => console.error(reason),
  });
  const embedded = await openServer('embedded', store.uri);
  const reference = process.env.MONGODB_URL ? await openServer('reference', process.env.MONGODB_URL) : null;
  const servers = reference ? [embedded, reference] : [embedded];
  if (!reference) console.log('MONGODB_URL is not set: no reference server');
  else
    console.log(
      `reference syncs acknowledged writes: ${process.env.MONGODB_SYNCS ?? 'unknown (set MONGODB_SYNCS=yes or no)'}; embedded: yes`,
    );
  const minCommitMs = measureMinCommit(folder);
  console.log(
    `an append and sync on this disk takes ${minCommitMs.toFixed(2)} ms: at most ${Math.round(1e3 / minCommitMs)} writes/s per client`,
  );

  const format = (embeddedRate: number, referenceRate: number | undefined, unit: string) =>
    `${Math.round(embeddedRate)}${unit}${referenceRate === undefined ? '' : `, reference ${Math.round(referenceRate)}${unit}, ratio ${(embeddedRate / referenceRate).toFixed(2)}`}`;
  // The reference server is already warm; warm up the embedded store, too.
  for (const server of servers) for (const operation of OPERATIONS) await measureRate(server, operation, CLIENTS[1]);
  for (const operation of OPERATIONS) {
    for (const clients of CLIENTS) {
      const [embeddedRate = 0, referenceRate] = await compare(servers, operation, clients);
      console.log(`${operation.name}, ${clients} clients: ${format(embeddedRate, referenceRate, '/s')}`);
    }
  }
  const embeddedRate = await measureFileRates(embedded);
  const referenceRate = reference ? await measureFileRates(reference) : undefined;
  console.log(
    `GridFS upload: ${format(embeddedRate.up, referenceRate?.up, ' MB/s')} (target: ≥ ${TARGET_MB_PER_S.up})`,
  );
  console.log(
    `GridFS download: ${format(embeddedRate.down, referenceRate?.down, ' MB/s')} (target: ≥ ${TARGET_MB_PER_S.down})`,
  );
  console.log('pings during expensive operations of the embedded store:');
  await measurePings(embedded, store.uri);
  for (const server of servers) {
    await server.db.dropDatabase();
    await server.client.close();
  }
  await store.stop();
  rmSync(folder, { recursive: true });
  if (process.env.STORE_GIB) await measureFirstResponse(Number(process.env.STORE_GIB));
}

// Runs in a separate thread, so that work in the main thread does not delay pings.
async function runPinger(): Promise<void> {
  const client = await MongoClient.connect(workerData);
  let longest = 0;
  parentPort?.on('message', () => {
    parentPort?.postMessage(longest);
    longest = 0;
  });
  for (;;) {
    const start = performance.now();
    await client.db('admin').command({ ping: 1 });
    longest = Math.max(longest, performance.now() - start);
  }
}
