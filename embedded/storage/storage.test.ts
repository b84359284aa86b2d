import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { open } from 'lmdb';
import { afterAll, expect, test } from 'vitest';
import { metaKey } from '../data/keys.ts';
import { backUp } from '../process/backup.ts';
import { openStorage, type Storage } from './storage.ts';
import type { Snapshot } from './view.ts';

const home = mkdtempSync(join(tmpdir(), 'storage-test-'));
afterAll(() => rmSync(home, { recursive: true }));

let folders = 0;
const freshFolder = () => join(home, String(folders++));
const openIn = (folder: string): Storage =>
  openStorage({
    path: join(folder, 'store.mdb'),
    lockConflict: () => undefined,
    onFatal: (reason) => {
      throw new Error(reason);
    },
  });

type Model = Map<string, string>;
type Step =
  | { put: [number, string][] }
  | { remove: number[] }
  | { refuse: number[] }
  | { look: true }
  | { restart: 'stop' | 'crash' };

const LARGE = 'x'.repeat(200_000);
const keyOf = (n: number) => `k${String(n).padStart(5, '0')}`;
const number = fc.nat({ max: 40 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .array(fc.tuple(number, fc.string({ maxLength: 5 })), { minLength: 1, maxLength: 5 })
      .map((put) => ({ put })),
  },
  { weight: 3, arbitrary: fc.array(number, { minLength: 1, maxLength: 4 }).map((remove) => ({ remove })) },
  { weight: 2, arbitrary: fc.array(number, { minLength: 1, maxLength: 4 }).map((refuse) => ({ refuse })) },
  { weight: 3, arbitrary: fc.constant({ look: true as const }) },
  // A value that exceeds the journal limit causes a flush; so many keys cause a flush after the commit.
  { weight: 1, arbitrary: number.map((n) => ({ put: [[n, LARGE]] as [number, string][] })) },
  {
    weight: 1,
    arbitrary: fc.constant({ put: Array.from({ length: 1_100 }, (_, n): [number, string] => [100 + n, `many ${n}`]) }),
  },
  { weight: 1, arbitrary: fc.constantFrom('stop', 'crash').map((restart) => ({ restart }) as Step) },
);

function expectContent(view: Snapshot, model: Model): void {
  const sorted = [...model].sort(([a], [b]) => (a < b ? -1 : 1));
  const [low, high] = [Buffer.from('k'), Buffer.from('l')];
  const read = (reverse: boolean) =>
    [...view.range(low, high, { reverse })].map(({ key, value }) => [key.toString(), value.toString()]);
  expect(read(false)).toEqual(sorted);
  expect(read(true)).toEqual(sorted.toReversed());
  const [from, to] = [keyOf(10), keyOf(30)];
  const within = sorted.filter(([key]) => key >= from && key < to).map(([key]) => key);
  expect(
    [...view.range(Buffer.from(from), Buffer.from(to), { keysOnly: true })].map(({ key }) => key.toString()),
  ).toEqual(within);
  expect(view.count(low, high)).toBe(model.size);
  for (let n = 0; n < 41; n++) expect(view.get(Buffer.from(keyOf(n)))?.toString()).toBe(model.get(keyOf(n)));
}

test('keeps every snapshot unchanged across writes, flushes, failed writes and restarts', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25, size: 'max' }), async (steps) => {
      let folder = freshFolder();
      let storage = openIn(folder);
      const model: Model = new Map();
      let looks: { view: Snapshot; model: Model }[] = [];
      for (const one of steps) {
        if ('put' in one) {
          await storage.write((view) => {
            for (const [n, text] of one.put) view.put(Buffer.from(keyOf(n)), Buffer.from(text));
          });
          for (const [n, text] of one.put) model.set(keyOf(n), text);
        } else if ('remove' in one) {
          await storage.write((view) => {
            for (const n of one.remove) view.remove(Buffer.from(keyOf(n)));
          });
          for (const n of one.remove) model.delete(keyOf(n));
        } else if ('refuse' in one) {
          const refused = storage.write((view) => {
            for (const n of one.refuse) view.put(Buffer.from(keyOf(n)), Buffer.from('refused'));
            throw new Error('refused');
          });
          await expect(refused).rejects.toThrow('refused');
        } else if ('look' in one) looks.push({ view: storage.snapshot(), model: new Map(model) });
        else {
          const version = storage.version();
          const next = one.restart === 'crash' ? freshFolder() : folder;
          for (const look of looks) look.view.close();
          looks = [];
          if (next !== folder) cpSync(folder, next, { recursive: true });
          await storage.close(() => undefined);
          storage = openIn(next);
          folder = next;
          expect(storage.version()).toBe(version);
        }
        for (const look of looks) expectContent(look.view, look.model);
      }
      const last = storage.snapshot();
      expectContent(last, model);
      for (const look of [...looks.map(({ view }) => view), last]) look.close();
      await storage.close(() => undefined);
    }),
    { numRuns: 15 },
  );
});

// Writes like an older version, which does not support the journal.
async function writeLikeOlderVersion(folder: string): Promise<void> {
  const environment = open<Buffer, Buffer>({
    path: join(folder, 'store.mdb'),
    encoding: 'binary',
    keyEncoding: 'binary',
  });
  environment.transactionSync(() => void environment.put(Buffer.from('k other'), Buffer.from('other')));
  await environment.close();
}

test('opens a data file written by an older version, but rejects a journal that does not match it', async () => {
  const [folder, crashed] = [freshFolder(), freshFolder()];
  const storage = openIn(folder);
  for (const value of ['in the data file', 'in the journal'])
    await storage.write((view) => view.put(Buffer.from('k'), Buffer.from(value)));
  cpSync(folder, crashed, { recursive: true });
  await storage.close(() => undefined);
  const before = storage.version();
  await writeLikeOlderVersion(folder);
  await writeLikeOlderVersion(crashed);
  const refused = /store\.mdb is a copy or was written by an older version/;
  expect(() => openIn(crashed)).toThrow(refused);
  await expect(backUp(crashed, join(home, 'backup of crashed'))).rejects.toThrow(refused);
  for (let round = 0; round < 2; round++) {
    const again = openIn(folder);
    // The stored commit number is not trusted.
    expect(again.version()).toBeGreaterThan(before);
    expect(['k', 'k other'].map((key) => again.latest(Buffer.from(key))?.toString())).toEqual([
      'in the journal',
      'other',
    ]);
    await again.write((view) => view.put(Buffer.from('k more'), Buffer.from('more')));
    await again.close(() => undefined);
  }
});

// Gives a data file the state of version 0.1.0, and its journal the format without a header.
async function asVersion010(folder: string): Promise<void> {
  const environment = open<Buffer, Buffer>({
    path: join(folder, 'store.mdb'),
    encoding: 'binary',
    keyEncoding: 'binary',
  });
  const state = Buffer.from(environment.get(metaKey('journal'))!.subarray(0, 24));
  state.writeDoubleLE((environment.getStats() as { lastTxnId: number }).lastTxnId + 1, 16);
  environment.transactionSync(() => void environment.put(metaKey('journal'), state));
  await environment.close();
  const journal = readFileSync(join(folder, 'journal'));
  writeFileSync(join(folder, 'journal'), Buffer.concat([journal.subarray(4096), Buffer.alloc(4096)]));
}

test('takes over the journal of version 0.1.0', async () => {
  const [folder, crashed] = [freshFolder(), freshFolder()];
  const storage = openIn(folder);
  for (const value of ['in the data file', 'in the journal', 'the last one'])
    await storage.write((view) => view.put(Buffer.from('k'), Buffer.from(value)));
  cpSync(folder, crashed, { recursive: true });
  await storage.close(() => undefined);
  await asVersion010(crashed);
  for (let round = 0; round < 3; round++) {
    const again = openIn(crashed);
    expect(again.latest(Buffer.from('k'))?.toString()).toBe('the last one');
    await again.write((view) => view.put(Buffer.from('k more'), Buffer.from('more')));
    await again.close(() => undefined);
  }
  expect(existsSync(join(crashed, 'journal.given-up'))).toBe(false);
});
