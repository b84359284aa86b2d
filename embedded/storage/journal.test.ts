import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { EPOCH_BYTES, JournalDamaged, journalPath, openJournal, readJournal } from './journal.ts';
import type { Write } from './merge.ts';

const home = mkdtempSync(join(tmpdir(), 'journal-test-'));
afterAll(() => rmSync(home, { recursive: true }));

const [epoch, other] = [Buffer.alloc(EPOCH_BYTES, 'one'), Buffer.alloc(EPOCH_BYTES, 'two')];
const HEAD = 24;

// A journal of four megabytes is made once; each test writes over its beginning.
const made = join(home, 'made');
openJournal(join(home, 'store.mdb'), epoch)!.journal.close();
copyFileSync(journalPath(join(home, 'store.mdb')), made);

function freshJournal() {
  const database = join(home, 'store.mdb');
  copyFileSync(made, journalPath(database));
  return { database, path: journalPath(database), journal: openJournal(database, epoch)!.journal };
}

const bytes = (most: number) => fc.uint8Array({ maxLength: most }).map((list) => Buffer.from(list));
const write: fc.Arbitrary<Write> = fc.record({ key: bytes(20), value: fc.option(bytes(300), { nil: null }) });
const commits = fc.array(fc.array(write, { maxLength: 4 }), { minLength: 1, maxLength: 6 });
const recorded = (list: Write[][]) => list.map((writes, n) => ({ commit: n + 1, writes }));

test('what was written is read again, whatever of the last record reached the disk', () => {
  fc.assert(
    fc.property(commits, fc.double({ min: 0, max: 1, noNaN: true }), (list, share) => {
      const { database, path, journal } = freshJournal();
      for (const [n, writes] of list.entries()) journal.write(n + 1, writes);
      journal.close();
      expect(readJournal(database)(epoch)).toEqual(recorded(list));
      const content = readFileSync(path);
      const length =
        HEAD + list.at(-1)!.reduce((sum, { key, value }) => sum + 6 + key.length + (value?.length ?? 0), 0);
      const end = content.lastIndexOf(epoch) - 8 + length;
      // At least one byte that is not zero is missing: the checksum stands at the beginning.
      content.fill(0, end - length, end - Math.floor(share * (length - 4)));
      writeFileSync(path, content);
      const { journal: again, records } = openJournal(database, epoch)!;
      again.close();
      expect(records).toEqual(recorded(list.slice(0, -1)));
    }),
    { numRuns: 20 },
  );
});

test('it goes on behind what it held', () => {
  const { database, journal } = freshJournal();
  const one = [{ key: Buffer.from('a'), value: Buffer.from('1') }];
  journal.write(1, one);
  journal.close();
  const { journal: again } = openJournal(database, epoch)!;
  again.write(2, one);
  again.close();
  expect(readJournal(database)(epoch)).toEqual(recorded([one, one]));
});

test('records of another epoch are none, and a new one begins in their place; an older data file does not go with them', () => {
  const { database, journal } = freshJournal();
  const [one, two] = ['a', 'b'].map((name) => [{ key: Buffer.from(name), value: null }]);
  for (let commit = 1; commit < 5; commit++) journal.write(commit, one!);
  journal.reset(other);
  expect(readJournal(database)(other)).toEqual([]);
  journal.write(1, two!);
  journal.close();
  expect(readJournal(database)(other)).toEqual(recorded([two!]));
  expect(() => readJournal(database)(epoch)).toThrow(JournalDamaged);
});

test('a record that cannot be read before one that can is damage, which is said and not passed over', () => {
  fc.assert(
    fc.property(commits, fc.nat(), (list, place) => {
      const { database, path, journal } = freshJournal();
      for (const [n, writes] of [...list, [{ key: Buffer.from('last'), value: null }]].entries())
        journal.write(n + 1, writes);
      journal.close();
      const content = readFileSync(path);
      const damaged = place % (content.lastIndexOf(epoch) - 8);
      content[damaged]! ^= 0x10;
      writeFileSync(path, content);
      expect(() => openJournal(database, epoch)).toThrow(JournalDamaged);
    }),
    { numRuns: 20 },
  );
});

test('it says when a record has no room', () => {
  const { journal } = freshJournal();
  const value = Buffer.alloc(2 ** 20);
  const writes = [{ key: Buffer.from('large'), value }];
  let written = 0;
  while (journal.hasSpaceFor(value.length + 11)) journal.write(++written, writes);
  expect(written).toBe(3);
  journal.close();
});
