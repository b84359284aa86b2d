import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  anySeed,
  checkpoint,
  copyOf,
  drawFrom,
  type Entry,
  emptyLog,
  type Log,
  logs,
  SEEN_FROM_OUTSIDE,
  seal,
  steps,
  stored,
  TAMPERINGS,
  trusted,
  write,
} from '../../../../test/support/audit-logs.ts';
import { type StoredLog, verifyLog } from './verify-log.ts';

const verdictOf = async (log: Log, externalCheckpoints: string[] = []) =>
  verifyLog(stored(log), { verifiers: trusted, externalCheckpoints });

test('reports an untouched log as intact at any time, with all its checkpoints', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (history) => {
      const log = emptyLog();
      const checkpoints: string[] = [];
      for (const [i, step] of history.entries()) {
        if (step.startsWith('seal')) seal(log);
        else write(log, step, `step ${i}`);
        if (step.endsWith('checkpoint')) checkpoint(log);
        if (log.tree.note) checkpoints.push(log.tree.note);
      }
      const { verdict, errors, records, sealed, pending } = await verdictOf(log, checkpoints);
      expect({ verdict, errors, records, total: sealed + pending }).toEqual({
        verdict: 'intact',
        errors: [],
        records: log.records.length,
        total: log.records.length,
      });
    }),
    { numRuns: 60 },
  );
});

const RUNS = 36;

test.each(Object.keys(TAMPERINGS))('detects without external checkpoints: %s', async (name) => {
  await fc.assert(
    fc.asyncProperty(logs, anySeed, async (drawn, seeds) => {
      const log = copyOf(drawn);
      TAMPERINGS[name]?.(log, drawFrom(seeds));
      const { verdict, errors } = await verdictOf(log);
      expect([verdict, typeof errors[0]?.id]).toEqual(['tampered', 'string']);
    }),
    { numRuns: RUNS },
  );
});

test.each(Object.keys(SEEN_FROM_OUTSIDE))('detects with the last external checkpoint: %s', async (name) => {
  await fc.assert(
    fc.asyncProperty(logs, anySeed, async (older, seeds) => {
      const log = copyOf(older);
      write(log, 'a', 'after the backup');
      seal(log);
      const checkpoints = [log.tree.note as string];
      SEEN_FROM_OUTSIDE[name]?.(log, drawFrom(seeds), copyOf(older));
      const { verdict, errors } = await verdictOf(log, checkpoints);
      expect([verdict, typeof errors[0]?.id]).toEqual(['tampered', 'string']);
    }),
    { numRuns: RUNS },
  );
});

test('covers more than a thousand tampered logs', () => {
  expect((Object.keys(TAMPERINGS).length + Object.keys(SEEN_FROM_OUTSIDE).length) * RUNS).toBeGreaterThanOrEqual(1000);
});

test('names the first changed record', async () => {
  const log = emptyLog();
  for (const chain of ['a', 'b', 'a', 'b', 'a']) write(log, chain, 'x');
  seal(log);
  const changed = log.records[2] as Entry;
  changed.summary = 'y';
  expect((await verdictOf(log)).errors[0]).toEqual({
    id: changed._id,
    message: `The hash of record ${changed._id} does not match its content.`,
  });
});

test('verifies only chains with records after a position', async () => {
  const log = emptyLog();
  for (const chain of ['a', 'b', 'a']) write(log, chain, 'x');
  seal(log);
  for (const chain of ['b', 'c']) write(log, chain, 'y');
  seal(log);
  const since = (position: number) => verifyLog(stored(log), { verifiers: trusted }, { since: position });
  expect(await since(0)).toMatchObject({ verdict: 'intact', chains: 3, records: 5 });
  expect(await since(3)).toMatchObject({ verdict: 'intact', chains: 2, records: 3 });
  expect(await since(5)).toMatchObject({ verdict: 'intact', chains: 0, records: 0 });
  expect(await since(6)).toMatchObject({
    verdict: 'unknown',
    warnings: [expect.stringContaining('It may have been truncated.')],
  });
  write(log, 'a', 'waits');
  expect(await since(5)).toMatchObject({ verdict: 'intact', chains: 1, records: 3, pending: 1 });
  log.pending = [];
  log.records.pop();
  log.heads = log.heads.map((head) =>
    head._id === 'a' ? { ...head, chainSeq: 2, hash: log.records[2]?.hash ?? '' } : head,
  );
  const [old, late] = [log.records[0] as Entry, log.records[3] as Entry];
  old.summary = 'z';
  expect((await since(3)).verdict).toBe('intact');
  expect((await since(2)).errors.map(({ id }) => id)).toEqual([old._id]);
  log.records = log.records.filter((record) => record !== late);
  expect((await since(3)).errors[0]).toEqual({
    id: late._id,
    message: `Record ${late._id} is sealed at position 4 but missing.`,
  });
  expect((await since(5)).verdict).toBe('intact');
});

test('returns unknown for a sealed log without a key', async () => {
  const log = emptyLog();
  write(log, 'a', 'x');
  expect((await verifyLog(stored(log), { verifiers: () => [] })).verdict).toBe('intact');
  seal(log);
  expect(await verifyLog(stored(log), { verifiers: () => [] })).toMatchObject({ verdict: 'unknown', errors: [] });
});

test('warns about checkpoints of another log and invalid ones', async () => {
  const [log, other] = [emptyLog(), emptyLog()];
  other.tree.log = 'other';
  for (const one of [log, other]) {
    write(one, 'a', 'x');
    seal(one);
  }
  expect(await verdictOf(log, [other.tree.note as string])).toMatchObject({ verdict: 'unknown', errors: [] });
  expect(await verdictOf(log, ['hello'])).toMatchObject({ verdict: 'unknown', errors: [] });
});

test('reports no errors for records written and sealed meanwhile', async () => {
  await fc.assert(
    fc.asyncProperty(
      logs,
      fc.infiniteStream(fc.constantFrom('nothing', 'a', 'b', 'new', 'seal')),
      async (drawn, actions) => {
        const log = copyOf(drawn);
        const meanwhile = async <T>(read: Promise<T>): Promise<T> => {
          const action = actions.next().value;
          if (action === 'seal') seal(log);
          else if (action !== 'nothing')
            write(log, action === 'new' ? `new ${log.records.length}` : action, 'meanwhile');
          return read;
        };
        const live = (): StoredLog => stored(log);
        const growing: StoredLog = {
          tree: () => meanwhile(live().tree()),
          checkpoints: () => live().checkpoints(),
          heads: () => live().heads(),
          head: (chain) => meanwhile(live().head(chain)),
          hashedRecords: () => live().hashedRecords(),
          storedRecords: () => live().storedRecords(),
          recordsOf: (chain) => live().recordsOf(chain),
          seals: (after) => live().seals(after),
          sealsById: () => live().sealsById(),
          pending: () => live().pending(),
          sealsOf: (ids) => meanwhile(live().sealsOf(ids)),
          pendingAmong: (ids) => meanwhile(live().pendingAmong(ids)),
          recordsAmong: (ids) => meanwhile(live().recordsAmong(ids)),
        };
        const { verdict, errors } = await verifyLog(growing, { verifiers: trusted });
        expect([verdict, errors]).toEqual(['intact', []]);
      },
    ),
  );
});
