import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { EPOCH_BYTES, journalPath, journalProblem, journalRecords, openJournal, readJournal } from './journal.ts';
import type { Write } from './merge.ts';

const home = mkdtempSync(join(tmpdir(), 'journal-test-'));
afterAll(() => rmSync(home, { recursive: true }));

const [epoch, other] = [Buffer.alloc(EPOCH_BYTES, 'one'), Buffer.alloc(EPOCH_BYTES, 'two')];
const HEAD = 24;

const open = (database: string) => openJournal(readJournal(database), epoch)!.journal;
const recordsIn = (database: string, of = epoch) => journalRecords(readJournal(database), of);

// The journal of 4 MiB is created once and copied for each test.
const template = join(home, 'template');
open(join(home, 'store.mdb')).close();
copyFileSync(journalPath(join(home, 'store.mdb')), template);

function freshJournal() {
  const database = join(home, 'store.mdb');
  copyFileSync(template, journalPath(database));
  return { database, path: journalPath(database), journal: open(database) };
}

const bytes = (maxLength: number) => fc.uint8Array({ maxLength }).map((list) => Buffer.from(list));
const write: fc.Arbitrary<Write> = fc.record({ key: bytes(20), value: fc.option(bytes(300), { nil: null }) });
const commits = fc.array(fc.array(write, { maxLength: 4 }), { minLength: 1, maxLength: 6 });
const recorded = (list: Write[][]) => list.map((writes, n) => ({ commit: n + 1, writes }));

test('reads all complete records when the last record is incomplete', () => {
  fc.assert(
    fc.property(commits, fc.double({ min: 0, max: 1, noNaN: true }), (list, share) => {
      const { database, path, journal } = freshJournal();
      for (const [n, writes] of list.entries()) journal.write(n + 1, writes);
      journal.close();
      expect(recordsIn(database).records).toEqual(recorded(list));
      const content = readFileSync(path);
      const length =
        HEAD + list.at(-1)!.reduce((sum, { key, value }) => sum + 6 + key.length + (value?.length ?? 0), 0);
      const end = content.lastIndexOf(epoch) - 8 + length;
      // Clears at least the checksum at the start of the last record.
      content.fill(0, end - length, end - Math.floor(share * (length - 4)));
      writeFileSync(path, content);
      open(database).close();
      expect(recordsIn(database)).toEqual({ records: recorded(list.slice(0, -1)), isDamaged: false });
    }),
    { numRuns: 20 },
  );
});

test('appends after the existing records', () => {
  const { database, journal } = freshJournal();
  const one = [{ key: Buffer.from('a'), value: Buffer.from('1') }];
  journal.write(1, one);
  journal.close();
  const again = open(database);
  again.write(2, one);
  again.close();
  expect(recordsIn(database).records).toEqual(recorded([one, one]));
});

test('ignores records of another epoch, overwrites them and rejects an older data file', () => {
  const { database, journal } = freshJournal();
  const [one, two] = ['a', 'b'].map((name) => [{ key: Buffer.from(name), value: null }]);
  for (let commit = 1; commit < 5; commit++) journal.write(commit, one!);
  journal.reset(other);
  expect(recordsIn(database, other).records).toEqual([]);
  journal.write(1, two!);
  journal.close();
  expect(recordsIn(database, other).records).toEqual(recorded([two!]));
  expect(recordsIn(database).isDamaged).toBe(true);
});

test('reports a damaged record that precedes a valid one', () => {
  fc.assert(
    fc.property(commits, fc.nat(), (list, place) => {
      const { database, path, journal } = freshJournal();
      for (const [n, writes] of [...list, [{ key: Buffer.from('last'), value: null }]].entries())
        journal.write(n + 1, writes);
      journal.close();
      const content = readFileSync(path);
      const first = content.indexOf(epoch) - 8;
      const damaged = first + (place % (content.lastIndexOf(epoch) - 8 - first));
      content[damaged]! ^= 0x10;
      writeFileSync(path, content);
      expect(recordsIn(database).isDamaged).toBe(true);
    }),
    { numRuns: 20 },
  );
});

test('reports when a record does not fit', () => {
  const { journal } = freshJournal();
  const value = Buffer.alloc(2 ** 20);
  const writes = [{ key: Buffer.from('large'), value }];
  let written = 0;
  while (journal.hasSpaceFor(value.length + 11)) journal.write(++written, writes);
  expect(written).toBe(3);
  journal.close();
});

test('names what is wrong with a journal', () => {
  const { database, path, journal } = freshJournal();
  journal.close();
  const content = readFileSync(path);
  const id = readJournal(database).id!;
  const problemWith = (bytes: Buffer | undefined) => {
    rmSync(path);
    if (bytes) writeFileSync(path, bytes);
    return journalProblem(readJournal(database), id);
  };
  expect(problemWith(content)).toBeNull();
  expect(problemWith(content.subarray(0, 100_000))).toBe('is truncated to 100000 of 4194304 bytes');
  expect(problemWith(Buffer.alloc(content.length))).toBe('was emptied or overwritten');
  expect(problemWith(Buffer.alloc(0))).toBe('is truncated to 0 of 4194304 bytes');
  expect(problemWith(undefined)).toBe('is missing');
  open(database).close();
  expect(journalProblem(readJournal(database), id)).toBe('belongs to another store or to an earlier state of this one');
});
