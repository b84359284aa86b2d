// Which requests share a transaction, and in which order they run.
import { setImmediate as nextLoopIteration } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requestAs, type TestStore, testStore } from '../../../test/support/store.ts';
import { type BatchedCommand, batched } from './batched.ts';
import { type Candidate, createTransactionBatcher, selectRunnable } from './transaction-batcher.ts';

const chain = fc.constantFrom<string>('a', 'b', 'c', 'd', 'e');
const candidate = fc.record({
  writes: fc.option(fc.uniqueArray(chain, { maxLength: 2 }), { freq: 12 }),
  alone: fc.integer({ min: 0, max: 9 }).map((n) => n === 9),
});

describe('selectRunnable', () => {
  const waiting: fc.Arbitrary<Candidate[]> = fc.array(candidate, { maxLength: 20, size: 'max' });
  const busyChains = fc.uniqueArray(chain, { maxLength: 3 }).map((chains) => new Set(chains));
  const limit = fc.integer({ min: 1, max: 20 });

  test('keeps the order of requests that write the same, avoids busy records, and delays no request without reason', () => {
    fc.assert(
      fc.property(waiting, limit, busyChains, (waiting, max, busy) => {
        const selected = new Set(selectRunnable(waiting, max, busy));
        expect(selected.size).toBeLessThanOrEqual(max);
        const last = waiting.findLastIndex((candidate) => selected.has(candidate));
        for (const [n, candidate] of waiting.entries()) {
          const skipped = waiting.slice(0, n).filter((other) => !selected.has(other));
          const isBlocked =
            !candidate.writes ||
            candidate.writes.some(
              (chain) => busy.has(chain) || skipped.some(({ writes }) => !writes || writes.includes(chain)),
            );
          if (selected.has(candidate)) expect(isBlocked).toBe(false);
          else if (n < last) expect(isBlocked).toBe(true);
        }
        const first: Candidate | undefined = waiting[0];
        if (first?.writes && !first.writes.some((chain) => busy.has(chain))) expect(selected.has(first)).toBe(true);
      }),
    );
  });

  test('selects a candidate that needs its own transaction alone', () => {
    fc.assert(
      fc.property(waiting, limit, busyChains, (waiting, max, busy) => {
        const selected = selectRunnable(waiting, max, busy);
        if (selected.some(({ alone }) => alone)) expect(selected).toHaveLength(1);
      }),
    );
  });
});

describe('concurrent transactions', () => {
  let store: TestStore;
  beforeAll(async () => {
    store = await testStore();
  });
  afterAll(() => store.close());

  type Input = { n: number; writes: string[]; fails: boolean };

  test('runs at most two, never on the same chain, keeps the order on each chain, and isolates errors', async () => {
    let maxConcurrent = 0;
    const generatedInputs = fc.array(
      fc.record({
        writes: fc.uniqueArray(chain, { maxLength: 2 }),
        fails: fc.integer({ max: 9, min: 0 }).map((n) => n === 9),
      }),
      {
        minLength: 20,
        maxLength: 60,
        size: 'max',
      },
    );
    await fc.assert(
      fc.asyncProperty(generatedInputs, fc.infiniteStream(fc.nat(3)), async (generated, pauses) => {
        const running = new Set<readonly Input[]>();
        const done: Input[] = [];
        const sample: BatchedCommand<Input, number> = {
          writesOf: async (_services, inputs) => inputs.map(({ writes }) => writes),
          command: async function runSample(work, members) {
            const inputs = members.map(({ input }) => input);
            for (const other of running) {
              const theirs = new Set(other.flatMap(({ writes }) => writes));
              expect(inputs.flatMap(({ writes }) => writes).filter((chain) => theirs.has(chain))).toEqual([]);
            }
            running.add(inputs);
            maxConcurrent = Math.max(maxConcurrent, running.size);
            work.unchanged();
            for (let n = pauses.next().value; n > 0; n--) await nextLoopIteration();
            running.delete(inputs);
            if (inputs.some(({ fails }) => fails)) throw new Error('sample failure');
            work.afterCommit(() => done.push(...inputs));
            return inputs.map(({ n }) => ({ result: n }));
          },
        };
        // two commands that write to the same chains
        const batcher = createTransactionBatcher();
        const commands = [batched(sample, batcher), batched({ ...sample }, batcher)] as const;
        const inputs = generated.map((input, n) => ({ ...input, n }));
        const results = await Promise.allSettled(
          inputs.map(async (input, n) => {
            for (let pause = n >> 3; pause > 0; pause--) await nextLoopIteration();
            return commands[input.writes.includes('a') ? 0 : 1](store.services, requestAs('editor'), input);
          }),
        );

        for (const [n, result] of results.entries())
          expect(result).toMatchObject(
            inputs[n]!.fails
              ? { status: 'rejected', reason: { message: 'sample failure' } }
              : { status: 'fulfilled', value: n },
          );
        for (const chain of ['b', 'c', 'd', 'e']) {
          const ofOneCommand = done
            .filter(({ writes }) => writes.includes(chain) && !writes.includes('a'))
            .map(({ n }) => n);
          expect(ofOneCommand).toEqual(ofOneCommand.toSorted((x, y) => x - y));
        }
      }),
      { numRuns: 40 },
    );
    expect(maxConcurrent).toBe(2);
  });
});
