// What the embedded store does through the unmodified driver, beside the server at MONGODB_URL in the same run; 1 = as
// fast as that server. Run by `npm run bench store`. The embedded store has on disk what it acknowledges; whether the
// other server does too, MONGODB_SYNCS=yes or no says. STORE_GIB=1 also fills a store so far and tells how soon it
// answers after a stop and after a kill.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { type ClientSession, type Collection, type Db, GridFSBucket, MongoClient, type ObjectId } from 'mongodb';
import { startStore } from '../embedded/process/supervisor.ts';

const WINDOW_MS = Number(process.env.BENCH_WINDOW_MS ?? 600);
const ROUNDS = 3;
const CLIENTS = [1, 32] as const;
const DOCUMENTS = 5_000;
const GROUPS = 50;
const FILE_MIB = 50;
const HOLD_MS = 20;
const FIRST_ANSWER_MS = 300;
const AIMS = { up: 100, down: 200 };

type Item = { _id: string; group: number; at: Date; name: string; text: string; count: number };
type Side = { name: string; client: MongoClient; db: Db; items: Collection<Item> };
type Line = { name: string; once(side: Side, n: number, session: ClientSession): Promise<unknown> };

let made = 0;
const item = (n: number): Item => ({
  _id: `item ${n}`,
  group: n % GROUPS,
  at: new Date(1_700_000_000_000 + n * 1000),
  name: `name ${n % 997}`,
  text: 'x'.repeat(180),
  count: 0,
});
const anyId = () => `item ${Math.floor(Math.random() * DOCUMENTS)}`;
const fresh = () => item(DOCUMENTS + made++);

const LINES: Line[] = [
  { name: 'insertOne, 3 indexes', once: ({ items }) => items.insertOne(fresh()) },
  { name: 'findOne by _id', once: ({ items }) => items.findOne({ _id: anyId() }) },
  {
    name: 'findOneAndUpdate $inc',
    once: ({ items }) => items.findOneAndUpdate({ _id: anyId() }, { $inc: { count: 1 } }),
  },
  {
    name: 'indexed find, sort, limit 20',
    once: ({ items }, n) =>
      items
        .find({ group: n % GROUPS })
        .sort({ at: -1 })
        .limit(20)
        .toArray(),
  },
  {
    name: 'transaction of 2 inserts and 1 update',
    once: ({ items }, _, session) =>
      session.withTransaction(async () => {
        await items.insertOne(fresh(), { session });
        await items.insertOne(fresh(), { session });
        await items.updateOne({ _id: anyId() }, { $inc: { count: 1 } }, { session });
      }),
  },
];

async function open(name: string, uri: string): Promise<Side> {
  const client = await MongoClient.connect(uri, { maxPoolSize: 40, writeConcern: { w: 'majority', journal: true } });
  const db = client.db(`bench_${process.pid}_${Date.now().toString(36)}`);
  const items = db.collection<Item>('items');
  await items.createIndexes([{ key: { group: 1, at: 1 } }, { key: { name: 1 } }]);
  await items.insertMany(Array.from({ length: DOCUMENTS }, (_, n) => item(n)));
  return { name, client, db, items };
}

// Both in turn, so that what else the machine does meets both; of each the middle round counts.
async function compared(sides: Side[], line: Line, clients: number): Promise<number[]> {
  const rounds: number[][] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const rates: number[] = [];
    for (const side of sides) rates.push(await perSecond(side, line, clients));
    rounds.push(rates);
  }
  return sides.map((_, at) => median(rounds.map((rates) => rates[at] ?? 0)));
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

async function perSecond(side: Side, line: Line, clients: number): Promise<number> {
  let done = 0;
  const begun = performance.now();
  const until = begun + WINDOW_MS;
  const one = () =>
    side.client.withSession(async (session) => {
      while (performance.now() < until) await line.once(side, done++, session);
    });
  await Promise.all(Array.from({ length: clients }, one));
  return done / ((performance.now() - begun) / 1000);
}

async function files({ db }: Side): Promise<{ up: number; down: number }> {
  const bucket = new GridFSBucket(db);
  const bytes = randomBytes(FILE_MIB * 2 ** 20);
  const rates = { up: 0, down: 0 };
  for (let round = 0; round < 3; round++) {
    const begun = performance.now();
    const upload = bucket.openUploadStream('file');
    await new Promise((resolve, reject) => upload.on('finish', resolve).on('error', reject).end(bytes));
    const between = performance.now();
    rates.up = Math.max(rates.up, bytes.length / 1e3 / (between - begun));
    assert.equal(await lengthOf(bucket, upload.id), bytes.length);
    rates.down = Math.max(rates.down, bytes.length / 1e3 / (performance.now() - between));
    await bucket.delete(upload.id);
  }
  return rates;
}

async function lengthOf(bucket: GridFSBucket, id: ObjectId): Promise<number> {
  let length = 0;
  for await (const chunk of bucket.openDownloadStream(id)) length += (chunk as Buffer).length;
  return length;
}

// What a store that keeps its word cannot be quicker than: a record behind the last, and a sync.
const RECORD_BYTES = 1_000;
function commitFloor(folder: string): number {
  const commits = 200;
  const file = openSync(join(folder, 'sync'), 'w');
  writeSync(file, Buffer.alloc(commits * RECORD_BYTES));
  fdatasyncSync(file);
  const record = Buffer.alloc(RECORD_BYTES, 1);
  const times = Array.from({ length: commits }, (_, n) => {
    const begun = performance.now();
    writeSync(file, record, 0, record.length, n * RECORD_BYTES);
    fdatasyncSync(file);
    return performance.now() - begun;
  });
  closeSync(file);
  return median(times);
}

// How long others wait while one client asks for much: the longest ping beside each.
async function holds({ db }: Side, uri: string): Promise<void> {
  const pinger = new Worker(new URL(import.meta.url), { workerData: uri });
  const longestSince = async (): Promise<number> => {
    pinger.postMessage(null);
    const [longest] = await once(pinger, 'message');
    return longest;
  };
  const many = db.collection<Item>('many');
  for (let n = 0; n < 60_000; n += 5_000) await many.insertMany(Array.from({ length: 5_000 }, (_, k) => item(n + k)));
  const deeds: [string, () => Promise<unknown>][] = [
    ['nothing for a second', () => after(1_000)],
    [
      'an insertMany of 5,000',
      () => db.collection<Item>('more').insertMany(Array.from({ length: 5_000 }, (_, n) => item(n))),
    ],
    ['a scan of 60,000', () => many.countDocuments({ text: 'none' })],
    [
      'a $group of 60,000',
      () => many.aggregate([{ $group: { _id: '$name', n: { $sum: 1 }, last: { $max: '$at' } } }]).toArray(),
    ],
    ['a sort of 60,000', () => many.find().sort({ name: 1 }).limit(20_000).toArray()],
    ['an index build over 60,000', () => many.createIndex({ name: 1, at: -1 })],
    ['an update of 60,000', () => many.updateMany({}, { $set: { text: 'y' } })],
    ['a delete of 60,000', () => many.deleteMany({})],
    ['a drop', () => many.drop()],
  ];
  for (const [name, deed] of deeds) {
    await longestSince();
    const begun = performance.now();
    await deed();
    const took = performance.now() - begun;
    const longest = await longestSince();
    console.log(
      `  ${name}: ${Math.round(took)} ms, longest ping beside it ${longest.toFixed(0)} ms (aim ≤ ${HOLD_MS})`,
    );
  }
  await pinger.terminate();
}

async function firstAnswer(gib: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-store-'));
  const start = () => startStore({ dataDir: folder, log: () => undefined, onFatal: (reason) => console.error(reason) });
  const store = await start();
  const client = await MongoClient.connect(store.uri);
  const documents = client.db('big').collection<Item>('items');
  await documents.createIndex({ group: 1, at: 1 });
  const pad = 'x'.repeat(3_600);
  for (let n = 0; n < gib * 262_144; n += 2_000)
    await documents.insertMany(Array.from({ length: 2_000 }, (_, k) => ({ ...item(n + k), text: pad })));
  await client.close();
  await store.stop();
  for (const how of ['stop', 'kill']) {
    const times: number[] = [];
    for (let round = 0; round < 5; round++) {
      const begun = performance.now();
      const again = await start();
      const reader = await MongoClient.connect(again.uri);
      assert(await reader.db('big').collection<Item>('items').findOne({ _id: 'item 77' }));
      times.push(performance.now() - begun);
      // Written to, so that what the last stop noted is no longer true.
      if (how === 'kill') await reader.db('big').collection('others').insertOne({ round });
      await reader.close();
      if (how === 'kill') process.kill(again.pid(), 'SIGKILL');
      await again.stop();
    }
    // The first after a kill is the first start of the row that follows one.
    const told = (how === 'kill' ? times.slice(1) : times).map((time) => Math.round(time)).join(', ');
    console.log(`first answer of a store of ${gib} GiB after a ${how}: ${told} ms (aim ≤ ${FIRST_ANSWER_MS})`);
  }
  rmSync(folder, { recursive: true });
}

if (isMainThread) await measure();
else await pinging();

async function measure(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-store-'));
  const store = await startStore({
    dataDir: folder,
    log: (line) => console.error(line),
    onFatal: (reason) => console.error(reason),
  });
  const ours = await open('embedded', store.uri);
  const theirs = process.env.MONGODB_URL ? await open('reference', process.env.MONGODB_URL) : null;
  const sides = theirs ? [ours, theirs] : [ours];
  if (!theirs) console.log('MONGODB_URL is not set: without the other server');
  else
    console.log(
      `the reference syncs what it acknowledges: ${process.env.MONGODB_SYNCS ?? 'not said (MONGODB_SYNCS=yes or no)'}; the embedded store does`,
    );
  const floor = commitFloor(folder);
  console.log(
    `on this disk a record and a sync take ${floor.toFixed(2)} ms: one client writes less than ${Math.round(1e3 / floor)}/s`,
  );

  const told = (mine: number, other: number | undefined, unit: string) =>
    `${Math.round(mine)}${unit}${other === undefined ? '' : `, reference ${Math.round(other)}${unit}, ratio ${(mine / other).toFixed(2)}`}`;
  // The other server has been running for long, ours was started just now: both are measured warm.
  for (const side of sides) for (const line of LINES) await perSecond(side, line, CLIENTS[1]);
  for (const line of LINES) {
    for (const clients of CLIENTS) {
      const [mine = 0, other] = await compared(sides, line, clients);
      console.log(`${line.name}, ${clients} at once: ${told(mine, other, '/s')}`);
    }
  }
  const mine = await files(ours);
  const other = theirs ? await files(theirs) : undefined;
  console.log(`GridFS up: ${told(mine.up, other?.up, ' MB/s')} (aim ≥ ${AIMS.up})`);
  console.log(`GridFS down: ${told(mine.down, other?.down, ' MB/s')} (aim ≥ ${AIMS.down})`);
  console.log('what else the embedded store answers beside long work:');
  await holds(ours, store.uri);
  for (const side of sides) {
    await side.db.dropDatabase();
    await side.client.close();
  }
  await store.stop();
  rmSync(folder, { recursive: true });
  if (process.env.STORE_GIB) await firstAnswer(Number(process.env.STORE_GIB));
}

// A thread of its own, so that what the client does with its answers delays no ping.
async function pinging(): Promise<void> {
  const client = await MongoClient.connect(workerData);
  let longest = 0;
  parentPort?.on('message', () => {
    parentPort?.postMessage(longest);
    longest = 0;
  });
  for (;;) {
    const begun = performance.now();
    await client.db('admin').command({ ping: 1 });
    longest = Math.max(longest, performance.now() - begun);
  }
}
