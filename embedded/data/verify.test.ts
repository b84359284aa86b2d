// What the verification reports as damage while the collections change, and what it does not.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openStore, type Store } from '../process/store.ts';
import { startTimeSlice } from '../protocol/time-slice.ts';
import type { View } from '../storage/view.ts';
import { encode } from '../values/bson.ts';
import type { Catalog } from './catalog.ts';
import { createIndexes } from './index-build.ts';
import { normalizeSpec } from './indexes.ts';
import { insertDocument } from './records.ts';
import { type Verification, verifyAll } from './verify.ts';

const COUNT = 20;
const NAMESPACE = 't.items';
const folder = mkdtempSync(join(tmpdir(), 'store-verify-'));
let store: Store;
let lines: string[];
let stores = 0;

beforeEach(async () => {
  lines = [];
  store = openStore({
    path: join(folder, `${stores++}.mdb`),
    address: '',
    ttlSeconds: 1e6,
    verifySeconds: 1e6,
    acceptLoss: false,
    log: (line) => lines.push(line),
    onFatal: (reason) => expect.fail(reason),
  });
  await fill();
});
afterEach(async () => {
  vi.useRealTimers();
  await store.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const collection = (namespace = NAMESPACE) => store.catalog.get(namespace)!;
const index = (name: string) => collection().indexes.find((found) => found.name === name)!;
const createIndex = (namespace = NAMESPACE) =>
  createIndexes(store, namespace, [normalizeSpec({ key: { n: 1 }, name: 'n_1' })], startTimeSlice());

async function fill(namespace = NAMESPACE, first = 0): Promise<void> {
  await createIndex(namespace);
  await store.storage.write((view) => {
    for (let n = first; n < first + COUNT; n++)
      insertDocument(view, collection(namespace), encode({ _id: n, n }), { _id: n, n });
  });
}

/** Verifies with slices of one document or entry. `wrap` changes what is read. */
async function verify({ wrap = (view) => view, ...changes }: Changes = {}): Promise<void> {
  vi.useFakeTimers({ toFake: ['performance'] });
  const { storage, catalog } = store;
  await verifyAll({
    catalog,
    snapshot: () => {
      const snapshot = storage.snapshot();
      return {
        ...wrap(snapshot),
        version: snapshot.version,
        close: () => snapshot.close(),
        count: (low, high) => snapshot.count(low, high),
        *range(...args) {
          for (const entry of wrap(snapshot).range(...args)) {
            vi.advanceTimersByTime(6);
            yield entry;
          }
        },
      };
    },
    log: (line) => lines.push(line),
    isClosed: () => false,
    pause: async () => {},
    ...changes,
  });
}
type Changes = Partial<Verification> & { wrap?: (view: View) => View };

test('verifies each document and each entry once', async () => {
  await verify();
  expect(lines).toEqual([`verified ${COUNT} documents and ${2 * COUNT} index entries`]);
});

test('reports no damage of a collection that is dropped and created again between two slices', async () => {
  let pauses = 0;
  await verify({
    pause: async () => {
      if (++pauses !== COUNT / 2) return;
      await store.storage.write((view) => store.catalog.drop(view, collection()));
      // its documents are between those of the dropped and those of the new collection
      await fill('t.other', COUNT);
      await fill();
    },
  });
  expect(lines.filter((line) => line.startsWith('damaged'))).toEqual([]);
  expect(index('n_1').damaged).toBeUndefined();
});

test('reports no damage of an index that is dropped and created again between two slices', async () => {
  let pauses = 0;
  await verify({
    pause: async () => {
      if (++pauses !== 2.5 * COUNT) return;
      const remaining = collection().indexes.filter(({ name }) => name !== 'n_1');
      await store.storage.write((view) => store.catalog.setIndexes(view, collection(), remaining));
      await createIndex();
    },
  });
  expect(lines.filter((line) => line.startsWith('damaged'))).toEqual([]);
  expect(index('n_1').damaged).toBeUndefined();
});

test('logs an error of the verification, and goes on using the index', async () => {
  const [, found] = collection().indexes;
  const broken: Catalog = {
    ...store.catalog,
    get: (namespace) => {
      const known = store.catalog.get(namespace);
      return known && { ...known, indexes: [index('_id_'), { ...found!, fields: undefined as never }] };
    },
  };
  await verify({ catalog: broken });
  expect(lines).toEqual([
    expect.stringMatching(/^verifying the documents of t\.items failed: /),
    expect.stringMatching(/^verifying index n_1 of t\.items failed: /),
    expect.stringMatching(/^verified /),
  ]);
  expect(collection().indexes.map(({ damaged }) => damaged)).toEqual([undefined, undefined]);
});

test('reports an index whose entries cannot be read', async () => {
  const { prefix } = index('n_1');
  await verify({
    wrap: (view) => ({
      version: view.version,
      range: (...args) => view.range(...args),
      get: (key) => {
        if (key.subarray(0, prefix.length).equals(prefix)) throw new Error('MDB_CORRUPTED');
        return view.get(key);
      },
    }),
  });
  expect(lines[0]).toBe(
    'damaged: t.items: index n_1: MDB_CORRUPTED. The index is no longer used; drop and create it again.',
  );
  expect([index('_id_').damaged, index('n_1').damaged]).toEqual([undefined, true]);
});
