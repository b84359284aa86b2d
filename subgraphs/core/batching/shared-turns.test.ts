// Who may write beside whom, and in which order.
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requestAs, type TestStore, testStore } from '../../../test/support/store.ts';
import { type Candidate, sharedTurns, whoMayGo } from './shared-turns.ts';
import { type Deed, together } from './together.ts';

const chain = fc.constantFrom<string>('a', 'b', 'c', 'd', 'e');
const candidate = fc.record({
  writes: fc.option(fc.uniqueArray(chain, { maxLength: 2 }), { freq: 12 }),
  alone: fc.integer({ min: 0, max: 9 }).map((n) => n === 9),
});

describe('of those who wait', () => {
  const waiting: fc.Arbitrary<Candidate[]> = fc.array(candidate, { maxLength: 20, size: 'max' });
  const busy = fc.uniqueArray(chain, { maxLength: 3 }).map((some) => new Set(some));
  const most = fc.integer({ min: 1, max: 20 });

  test('none goes that writes what is busy, none before an earlier one that writes the same, and nobody is kept without a cause', () => {
    fc.assert(
      fc.property(waiting, most, busy, (waiting, most, busy) => {
        const going = new Set(whoMayGo(waiting, most, busy));
        expect(going.size).toBeLessThanOrEqual(most);
        const last = waiting.findLastIndex((one) => going.has(one));
        for (const [n, one] of waiting.entries()) {
          const before = waiting.slice(0, n).filter((other) => !going.has(other));
          const inTheWay =
            !one.writes ||
            one.writes.some(
              (chain) => busy.has(chain) || before.some(({ writes }) => !writes || writes.includes(chain)),
            );
          if (going.has(one)) expect(inTheWay).toBe(false);
          else if (n < last) expect(inTheWay).toBe(true);
        }
        const first: Candidate | undefined = waiting[0];
        if (first?.writes && !first.writes.some((chain) => busy.has(chain))) expect(going.has(first)).toBe(true);
      }),
    );
  });

  test('one that must have a transaction of its own has it', () => {
    fc.assert(
      fc.property(waiting, most, busy, (waiting, most, busy) => {
        const going = whoMayGo(waiting, most, busy);
        if (going.some(({ alone }) => alone)) expect(going).toHaveLength(1);
      }),
    );
  });
});

describe('transactions under way at the same time', () => {
  let store: TestStore;
  beforeAll(async () => {
    store = await testStore();
  });
  afterAll(() => store.close());

  type Asked = { n: number; writes: string[]; fails: boolean };

  test('are at most two, never write the same chain, and do what is asked of a chain in the order in which it was asked; a fault is the fault of one', async () => {
    let mostAtOnce = 0;
    const someAsked = fc.array(
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
      fc.asyncProperty(someAsked, fc.infiniteStream(fc.nat(3)), async (some, pauses) => {
        const underWay = new Set<readonly Asked[]>();
        const done: Asked[] = [];
        const deed: Deed<Asked, number> = {
          writesOf: async (_services, inputs) => inputs.map(({ writes }) => writes),
          command: async function doing(work, members) {
            const asked = members.map(({ input }) => input);
            for (const other of underWay) {
              const theirs = new Set(other.flatMap(({ writes }) => writes));
              expect(asked.flatMap(({ writes }) => writes).filter((one) => theirs.has(one))).toEqual([]);
            }
            underWay.add(asked);
            mostAtOnce = Math.max(mostAtOnce, underWay.size);
            work.unchanged();
            for (let n = pauses.next().value; n > 0; n--) await turnOfTheLoop();
            underWay.delete(asked);
            if (asked.some(({ fails }) => fails)) throw new Error('as asked');
            work.afterCommit(() => done.push(...asked));
            return asked.map(({ n }) => ({ answer: n }));
          },
        };
        // two deeds that meet in the same chains
        const turns = sharedTurns();
        const deeds = [together(deed, turns), together({ ...deed }, turns)] as const;
        const asked = some.map((one, n) => ({ ...one, n }));
        const answers = await Promise.allSettled(
          asked.map(async (one, n) => {
            for (let pause = n >> 3; pause > 0; pause--) await turnOfTheLoop();
            return deeds[one.writes.includes('a') ? 0 : 1](store.services, requestAs('editor'), one);
          }),
        );

        for (const [n, answer] of answers.entries())
          expect(answer).toMatchObject(
            asked[n]!.fails
              ? { status: 'rejected', reason: { message: 'as asked' } }
              : { status: 'fulfilled', value: n },
          );
        for (const chain of ['b', 'c', 'd', 'e']) {
          const ofOneDeed = done
            .filter(({ writes }) => writes.includes(chain) && !writes.includes('a'))
            .map(({ n }) => n);
          expect(ofOneDeed).toEqual(ofOneDeed.toSorted((x, y) => x - y));
        }
      }),
      { numRuns: 40 },
    );
    expect(mostAtOnce).toBe(2);
  });
});
