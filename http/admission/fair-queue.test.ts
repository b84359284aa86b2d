import { array, assert, constantFrom, integer, property, record } from 'fast-check';
import { expect, test } from 'vitest';
import { createFairQueue } from './fair-queue.ts';

/** Creates a queue with entries named after their caller: a1, a2 … */
function queueOf(slots: number, slotsPerCaller = slots, maxWaitMs = 100) {
  const queue = createFairQueue<string>({ slots, slotsPerCaller, maxWaitMs });
  return {
    ...queue,
    enterAll: (...entries: string[]) => entries.map((entry) => queue.enter(entry.slice(0, 1), entry).outcome),
  };
}

test('runs requests while slots are free, then lets them wait in order', () => {
  const { enterAll, leave } = queueOf(2);
  expect(enterAll('a1', 'a2', 'a3', 'a4')).toEqual(['run', 'run', 'wait', 'wait']);
  expect([leave('a', 1), leave('a', 1), leave('a', 1), leave('a', 1)]).toEqual([['a3'], ['a4'], [], []]);
  expect(enterAll('a5', 'a6', 'a7')).toEqual(['run', 'run', 'wait']);
});

test('gives callers turns, regardless of how many requests each sends', () => {
  const { enterAll, leave } = queueOf(1);
  enterAll('a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1');
  const started = ['a', 'a', 'b', 'c', 'a', 'b', 'a'].flatMap((caller) => leave(caller, 1));
  expect(started).toEqual(['a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
});

test('leaves slots to others when one caller has its share', () => {
  const { enterAll, leave } = queueOf(4, 2);
  expect(enterAll('a1', 'a2', 'a3', 'b1', 'b2', 'b3')).toEqual(['run', 'run', 'wait', 'run', 'run', 'wait']);
  expect([leave('b', 1), leave('a', 1)]).toEqual([['b3'], ['a3']]);
});

test('gives a caller fewer slots while others are active', () => {
  let now = 0;
  const options = { slots: 8, slotsPerCaller: 4, slotsPerCallerAmongOthers: 1, maxWaitMs: 100, now: () => now };
  const queue = createFairQueue<string>(options);
  const enter = (entry: string) => queue.enter(entry.slice(0, 1), entry).outcome;
  expect(['a1', 'a2', 'b1', 'b2', 'a3', 'a4'].map(enter)).toEqual(['run', 'run', 'run', 'wait', 'wait', 'wait']);
  expect(queue.leave('a', 1)).toEqual([]);
  now = 1_000;
  expect(queue.leave('a', 1)).toEqual(['b2', 'a3', 'a4']);
});

/** Makes the mean service time approach `ms`. */
function serve({ enterAll, leave }: Pick<ReturnType<typeof queueOf>, 'enterAll' | 'leave'>, ms: number): void {
  for (let n = 0; n < 300; n++) {
    enterAll('s0');
    leave('s', ms);
  }
}

test('rejects a request whose expected wait is too long', () => {
  const queue = queueOf(1, 1, 100);
  serve(queue, 24.9);
  expect(queue.enterAll('a1', 'a2', 'a3', 'a4', 'a5')).toEqual(['run', 'wait', 'wait', 'wait', 'wait']);
  expect(queue.enter('a', 'a6')).toEqual({ outcome: 'reject', waitMs: expect.closeTo(124.5, 0) });
});

test('rejects a request that would wait too long for the share of its caller', () => {
  const queue = queueOf(10, 2, 100);
  serve(queue, 49.9);
  expect(queue.enterAll('a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7')).toEqual([
    ...['run', 'run', 'wait', 'wait', 'wait', 'wait'],
    'reject',
  ]);
  expect(queue.enterAll('b1', 'b2', 'b3')).toEqual(['run', 'run', 'wait']);
});

test('sheds the newest request of the caller with the most waiting requests, not those of others', () => {
  const queue = queueOf(1, 1, 100);
  serve(queue, 24.9);
  queue.enterAll('a1', 'a2', 'a3', 'a4', 'a5');
  expect(queue.enter('b', 'b1')).toEqual({ outcome: 'wait', evicted: 'a5' });
  expect(queue.enter('c', 'c1')).toEqual({ outcome: 'wait', evicted: 'a4' });
  expect(queue.enterAll('b2', 'a6', 'd1')).toEqual(['reject', 'reject', 'wait']);
  expect(['a', 'a', 'b', 'c', 'd'].flatMap((caller) => queue.leave(caller, 25))).toEqual(['a2', 'b1', 'c1', 'd1']);
});

test('rejects a request at once that would wait too long for its turn, instead of evicting it later', () => {
  const queue = queueOf(1, 1, 100);
  serve(queue, 24.9);
  queue.enterAll('a1', 'b1', 'b2', 'a2');
  expect(queue.enter('b', 'b3')).toEqual({ outcome: 'reject', waitMs: expect.closeTo(149.4, 0) });
  expect(queue.enter('c', 'c1')).toEqual({ outcome: 'wait' });
});

test('accepts requests again when the service is fast again', () => {
  const queue = queueOf(1, 1, 100);
  serve(queue, 5_000);
  expect(queue.enterAll('a1', 'b1')).toEqual(['run', 'reject']);
  queue.leave('a', 1);
  serve(queue, 1);
  expect(queue.enterAll('a1', 'b1')).toEqual(['run', 'wait']);
});

test('removes a waiting request whose client disconnects', () => {
  const { enterAll, cancel, leave } = queueOf(1);
  enterAll('a1', 'a2', 'a3');
  cancel('a', 'a2');
  cancel('a', 'a2');
  cancel('b', 'b1');
  expect([leave('a', 1), leave('a', 1)]).toEqual([['a3'], []]);
});

test('never exceeds a share, never leaves a usable slot idle, and keeps the order of each caller', () => {
  const step = record({ caller: constantFrom('a', 'b', 'c', 'd'), action: constantFrom('enter', 'leave', 'cancel') });
  const options = record({ slots: integer({ min: 1, max: 5 }), share: integer({ min: 1, max: 5 }) });
  assert(
    property(options, array(step, { maxLength: 80 }), ({ slots, share }, steps) => {
      const slotsPerCaller = Math.min(share, slots);
      const queue = createFairQueue<string>({ slots, slotsPerCaller, maxWaitMs: 1e9 });
      const running: string[] = [];
      const waiting: string[] = [];
      const countOf = (caller: string) => running.filter((entry) => entry[0] === caller).length;
      for (const [n, { caller, action }] of steps.entries()) {
        if (action === 'enter') {
          const entry = `${caller}${n}`;
          (queue.enter(caller, entry).outcome === 'run' ? running : waiting).push(entry);
        } else if (action === 'leave' && countOf(caller)) {
          running.splice(
            running.findIndex((entry) => entry[0] === caller),
            1,
          );
          for (const entry of queue.leave(caller, 1)) {
            expect(waiting.find((other) => other[0] === entry[0])).toBe(entry);
            running.push(...waiting.splice(waiting.indexOf(entry), 1));
          }
        } else if (action === 'cancel') {
          const index = waiting.findIndex((entry) => entry[0] === caller);
          if (index >= 0) queue.cancel(caller, waiting.splice(index, 1)[0] ?? '');
        }
        expect(running.length).toBeLessThanOrEqual(slots);
        for (const other of 'abcd') expect(countOf(other)).toBeLessThanOrEqual(slotsPerCaller);
        const isUsable = (entry: string) => running.length < slots && countOf(entry[0] ?? '') < slotsPerCaller;
        expect(waiting.filter(isUsable)).toEqual([]);
      }
    }),
  );
});

test('starts the single request of a caller after at most one of each other caller', () => {
  assert(
    property(array(constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 60 }), (others) => {
      const { enterAll, leave } = queueOf(1, 1, 1e9);
      enterAll('a', ...others, 'z');
      let started = 'a';
      let before = 0;
      for (; started !== 'z'; before++) [started = 'none'] = leave(started, 1);
      expect(before - 1).toBeLessThanOrEqual(new Set(others).size);
    }),
  );
});
