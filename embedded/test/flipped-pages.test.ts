// Flips random bits in all pages of indexes, and in the branch pages above them.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Db, MongoClient } from 'mongodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProcess } from './store-process.ts';

const FLIPS = Number(process.env.STORE_FLIPS ?? 12);
const SEED = Number(process.env.STORE_SEED ?? 1);
const COUNT = 800;
const PARALLEL = 3;
const home = mkdtempSync(join(tmpdir(), 'store-flips-'));
const whole = join(home, 'whole');
afterAll(() => rmSync(home, { recursive: true, force: true }));

type Item = { _id: number; name: string; number: string; group: number; tags: string[]; state?: string };
const itemOf = (_id: number): Item => ({
  _id,
  name: `name ${String(_id).padStart(6, '0')}`,
  number: `N-${_id * 7}`,
  group: _id % 17,
  tags: [`t${_id % 5}`, `u${_id % 7}`],
  ...(_id % 3 === 0 && { state: 'open' }),
});

beforeAll(async () => {
  const store = await startProcess(whole);
  const client = await MongoClient.connect(store.uri ?? '');
  const items = client.db('t').collection<Item>('items');
  await items.createIndex({ name: 1 });
  await items.createIndex({ number: 1 }, { unique: true });
  await items.createIndex({ group: 1, name: -1 });
  await items.createIndex({ tags: 1, group: 1 });
  await items.createIndex({ state: 1, _id: 1 }, { partialFilterExpression: { state: { $exists: true } } });
  for (let _id = 0; _id < COUNT; _id += 100)
    await items.insertMany(Array.from({ length: 100 }, (_, n) => itemOf(_id + n)));
  await client.close();
  store.child.kill('SIGTERM');
  await store.ended;
});

// The format of LMDB: a page begins with its number, transaction, flags and the bounds of its free space.
const [HEADER, PAGE, LEAF, BRANCH] = [24, 4096, 2, 1];
type Page = { at: number; flags: number; lower: number; upper: number };

function pageAt(bytes: Buffer, number: number): Page {
  const at = number * PAGE;
  return {
    at,
    flags: bytes.readUInt16LE(at + 18),
    lower: HEADER + bytes.readUInt16LE(at + 20),
    upper: HEADER + bytes.readUInt16LE(at + 22),
  };
}

const nodesOf = (bytes: Buffer, { at, lower }: Page): number[] =>
  Array.from({ length: (lower - HEADER) / 2 }, (_, n) => at + HEADER + bytes.readUInt16LE(at + HEADER + 2 * n));

// Returns the branch pages, and the leaf pages that contain an entry of an index.
function indexPages(bytes: Buffer, number: number): Page[] {
  const page = pageAt(bytes, number);
  const nodes = nodesOf(bytes, page);
  if (page.flags & BRANCH) return [page, ...nodes.flatMap((node) => indexPages(bytes, bytes.readUInt32LE(node)))];
  expect(page.flags & LEAF).toBe(LEAF);
  return nodes.some((node) => bytes[node + 8] === INDEX_TAG) ? [page] : [];
}
const INDEX_TAG = 3;

// The root of the main tree in the newer of both meta pages.
function rootOf(bytes: Buffer): number {
  const [first, second] = [0, PAGE].map((at) => ({
    transaction: bytes.readBigUInt64LE(at + 152),
    root: Number(bytes.readBigUInt64LE(at + 136)),
  })) as [Meta, Meta];
  return first.transaction > second.transaction ? first.root : second.root;
}
type Meta = { transaction: bigint; root: number };

// A generator of numbers below a limit (mulberry32), so that a failure can be repeated.
function randomNumbers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
}

/** The ids that each query returns. `items` are the documents that the store should have. */
const queries = (items: Item[]): [name: string, run: (db: Db) => Promise<unknown>, expected: unknown][] => {
  const ids = (test: (item: Item) => boolean) => items.filter(test).map(({ _id }) => _id);
  const find = (filter: object, sort: object) => async (db: Db) =>
    (
      await db
        .collection<Item>('items')
        .find(filter, { sort: sort as never, projection: { _id: 1 } })
        .toArray()
    ).map(({ _id }) => _id);
  return [
    ['count', (db) => db.collection('items').countDocuments({}), items.length],
    ['all', find({}, { _id: 1 }), ids(() => true)],
    ['by name', find({ name: { $gte: '' } }, { name: 1 }), ids(() => true)],
    ['by name, reverse', find({ name: { $gte: '' } }, { name: -1 }), ids(() => true).toReversed()],
    ['count by name', (db) => db.collection('items').countDocuments({ name: { $gte: '' } }), items.length],
    ['by group', find({ group: 3 }, { name: 1 }), ids(({ group }) => group === 3)],
    ['by tag', find({ tags: 't2' }, { _id: 1 }), ids(({ tags }) => tags.includes('t2'))],
    [
      'count by tag',
      (db) => db.collection('items').countDocuments({ tags: 'u3' }),
      ids(({ tags }) => tags.includes('u3')).length,
    ],
    ['open', find({ state: 'open' }, { _id: 1 }), ids(({ state }) => state === 'open')],
    ['each id', find({ _id: { $in: ids(() => true) } }, { _id: 1 }), ids(() => true)],
    ['each number', find({ number: { $in: items.map(({ number }) => number) } }, { _id: 1 }), ids(() => true)],
    ['each name', find({ name: { $in: items.map(({ name }) => name) } }, { _id: 1 }), ids(() => true)],
  ];
};

type Outcome = 'refused' | 'ended' | 'reported' | 'right' | `wrong: ${string}`;

// Starts a store with one flipped bit, waits until it has verified everything, and reads. An error
// is not a wrong answer. Returns what happened.
async function outcomeOf(bytes: Buffer, n: number): Promise<Outcome> {
  const folder = join(home, `flip-${n}`);
  cpSync(whole, folder, { recursive: true });
  writeFileSync(join(folder, 'store.mdb'), bytes);
  const store = await startProcess(folder, {}, ['--verify-seconds', '0.1']);
  try {
    if (!store.uri) return /\w+ \w+/.test(store.lines.join('')) ? 'refused' : 'wrong: ended without a sentence';
    const passes = () => store.lines.join('').match(/verified \d+ documents/g)?.length ?? 0;
    const verified = (count: number) =>
      new Promise<void>((resolve) => {
        const check = () => passes() >= count && resolve();
        store.child.stderr?.on('data', check);
        void store.ended.then(() => resolve());
        check();
      });
    await verified(1);
    const client = new MongoClient(store.uri, { serverSelectionTimeoutMS: 500, retryReads: false, retryWrites: false });
    try {
      const wrong: string[] = [];
      let errors = 0;
      const compareAll = async (items: Item[]) => {
        for (const [name, run, expected] of queries(items)) {
          const actual = await run(client.db('t')).catch(() => undefined);
          if (actual === undefined) errors++;
          else if (JSON.stringify(actual) !== JSON.stringify(expected)) wrong.push(name);
        }
      };
      const items = Array.from({ length: COUNT }, (_, _id) => itemOf(_id));
      await compareAll(items);
      const isReported = () => store.lines.join('').includes('damaged:');
      const hidesDocuments = () => /damaged: .*Restore the document/.test(store.lines.join(''));
      if (wrong.length > 0 && !hidesDocuments()) return `wrong: ${wrong.join()}: ${store.lines.join('')}`;
      return store.child.exitCode !== null || store.child.signalCode !== null
        ? 'ended'
        : isReported() || errors > 0
          ? 'reported'
          : 'right';
    } finally {
      await client.close();
    }
  } finally {
    store.child.kill('SIGKILL');
    await store.ended;
    rmSync(folder, { recursive: true, force: true });
  }
}

test(
  `none of ${FLIPS} random bits in the pages of indexes leads to a wrong answer after the verification`,
  async () => {
    const bytes = readFileSync(join(whole, 'store.mdb'));
    const pages = indexPages(bytes, rootOf(bytes));
    const random = randomNumbers(SEED);
    const outcomes = new Map<string, number>();
    const wrong: string[] = [];
    const flips = Array.from({ length: FLIPS }, (_, n) => {
      const page = pages[random(pages.length)]!;
      const offset = random(page.lower + PAGE - page.upper);
      return { n, page, offset: offset < page.lower ? offset : page.upper + offset - page.lower, bit: 1 << random(8) };
    });
    const next = flips.values();
    const tryFlips = async () => {
      for (const { n, page, offset, bit } of next) {
        const flipped = Buffer.from(bytes);
        flipped[page.at + offset]! ^= bit;
        const outcome = await outcomeOf(flipped, n);
        const [kind = ''] = outcome.split(':');
        outcomes.set(kind, (outcomes.get(kind) ?? 0) + 1);
        if (kind === 'wrong')
          wrong.push(
            `flip ${n}: ${page.flags === BRANCH ? 'branch' : 'leaf'} page ${page.at / PAGE}, byte ${offset} ` +
              `(free from ${page.lower} to ${page.upper}), bit ${bit}: ${outcome}`,
          );
      }
    };
    await Promise.all(Array.from({ length: PARALLEL }, tryFlips));
    console.info(`${pages.length} pages:`, Object.fromEntries(outcomes));
    expect(wrong).toEqual([]);
    expect(outcomes.get('reported') ?? 0).toBeGreaterThan(0);
  },
  60_000 + FLIPS * 10_000,
);
