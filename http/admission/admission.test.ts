import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect, test, vi } from 'vitest';
import type { Actor } from '../../subgraphs/core/domain/access/actor.ts';
import { subscribe } from '../../subgraphs/core/platform/instrumentation.ts';
import { type Admission, callerOf, createAdmission } from './admission.ts';

const actor = (tokenId: string | null, role: Actor['role'] = 'editor', id = 'usr_1'): Actor => ({
  id,
  name: 'Ed',
  role,
  tokenId,
  via: 'token',
});
const caller = (...of: Parameters<typeof actor>) => callerOf(actor(...of), '192.0.2.1');
const refused = (code: string, retryAfter: number) =>
  expect.objectContaining({ code, details: expect.objectContaining({ retryAfter }) });
const createResponse = () => new EventEmitter() as ServerResponse;
const create = (options = {}) =>
  createAdmission({ slots: 2, maxWaitMs: 20, maxInProgress: { request: 3, upload: 2, stream: 1 }, ...options });

/** Starts a request that runs until it is ended. `state` is waiting, running, or its error. */
function start(
  admission: Admission,
  of: ReturnType<typeof caller>,
  response = createResponse(),
  access: 'read' | 'write' = 'read',
) {
  const request = { state: 'waiting' as unknown, end: () => {}, freeSlot: () => {}, done: Promise.resolve() };
  request.done = admission
    .run(access, of, response, async (release) => {
      request.state = 'running';
      request.freeSlot = release;
      await new Promise<void>((resolve) => {
        request.end = resolve;
      });
    })
    .catch((error: unknown) => {
      request.state = error;
    });
  return request;
}

test('limits the requests, uploads and streams of each token, or of each user of an identity provider', () => {
  const admission = create();
  const release = admission.acquire('upload', caller('tok_1'));
  admission.acquire('upload', caller('tok_1'));
  expect(() => admission.acquire('upload', caller('tok_1'))).toThrow(refused('rate_limited', 5));
  admission.acquire('stream', caller('tok_1'));
  admission.acquire('upload', caller('tok_2'));
  for (const id of ['usr_1', 'usr_2']) admission.acquire('stream', caller(null, 'viewer', id));
  expect(() => admission.acquire('stream', caller(null, 'viewer', 'usr_1'))).toThrow(refused('rate_limited', 5));
  for (let n = 0; n < 3; n++) admission.acquire(undefined, caller('tok_1'));
  expect(() => admission.acquire(undefined, caller('tok_1'))).toThrow(refused('rate_limited', 1));
  release();
  release();
  admission.acquire('upload', caller('tok_1'));
  expect(() => admission.acquire('upload', caller('tok_1'))).toThrow(refused('rate_limited', 5));
});

test('exempts workers, which share tokens', async () => {
  const admission = create();
  const requests = Array.from({ length: 100 }, () => start(admission, caller('tok_1', 'worker')));
  for (const kind of ['upload', 'stream', undefined] as const)
    for (let n = 0; n < 100; n++) admission.acquire(kind, caller('tok_1', 'worker'));
  expect(new Set(requests.map(({ state }) => state))).toEqual(new Set(['running']));
});

test('counts the anonymous clients of a network as one caller', () => {
  expect([callerOf(null, '192.0.2.1').key, callerOf(null, '2001:db8::1').key]).toEqual([
    'anonymous 192.0.2.1',
    callerOf(null, '2001:db8::2').key,
  ]);
});

test('runs a waiting request when another one ends or frees its slot', async () => {
  const admission = create({ slots: 1, maxWaitMs: 10_000 });
  const [first, second, third] = [1, 2, 3].map(() => start(admission, caller('tok_1')));
  await expect.poll(() => first?.state).toBe('running');
  expect([second?.state, third?.state]).toEqual(['waiting', 'waiting']);
  first?.end();
  await expect.poll(() => second?.state).toBe('running');
  second?.freeSlot();
  await expect.poll(() => third?.state).toBe('running');
  second?.end();
  await second?.done;
  const fourth = start(admission, caller('tok_1'));
  third?.end();
  await expect.poll(() => fourth.state).toBe('running');
});

test('rejects a request at once if it would wait too long, and one that waits longer than expected', async () => {
  const admission = create({ maxWaitMs: 20 });
  const requests = Array.from({ length: 6 }, (_, n) => start(admission, caller(`tok_${n}`)));
  await expect.poll(() => requests.at(-1)?.state).toEqual(refused('overloaded', 1));
  await expect
    .poll(() => requests.map(({ state }) => state))
    .toEqual([...['running', 'running'], ...Array(4).fill(refused('overloaded', 1))]);
});

test('sends overloaded without waiting for a timer or another request once it is decided', async () => {
  vi.useFakeTimers();
  try {
    const admission = create({ slots: 1, maxWaitMs: 20 });
    const [running, first, second, ...others] = Array.from({ length: 6 }, (_, n) =>
      start(admission, caller(`tok_${n}`)),
    );
    await vi.advanceTimersByTimeAsync(0);
    expect([running?.state, first?.state, second?.state]).toEqual(['running', 'waiting', 'waiting']);
    expect(others.map(({ state }) => state)).toEqual(others.map(() => refused('overloaded', 1)));
  } finally {
    vi.useRealTimers();
  }
});

test('counts the requests that it rejects because of overload', async () => {
  const rejected: string[] = [];
  const unsubscribe = subscribe({ overload: ({ access }) => rejected.push(access) });
  const admission = create({ slots: 1, maxWaitMs: 1 });
  const access = ['read', 'read', 'write', 'write', 'write', 'write'] as const;
  const requests = access.map((each, n) => start(admission, caller(`tok_${n}`), createResponse(), each));
  await Promise.all([requests[1], requests[4], requests[5]].map((request) => request?.done));
  unsubscribe();
  expect(rejected).toEqual(['read', 'write', 'write']);
});

test('sheds a waiting request of the busiest caller for one of another caller', async () => {
  const admission = create({ slots: 1, maxWaitMs: 10_000 });
  const busy = Array.from({ length: 1_001 }, () => start(admission, caller('tok_1')));
  const other = start(admission, caller('tok_2'));
  await expect.poll(() => busy.at(-1)?.state).toEqual(refused('overloaded', 11));
  busy[0]?.end();
  await expect.poll(() => busy[1]?.state).toBe('running');
  busy[1]?.end();
  await expect.poll(() => other.state).toBe('running');
});

test('forgets a waiting request whose client disconnects', async () => {
  const admission = create({ slots: 1, maxWaitMs: 10_000 });
  const response = createResponse();
  const [first, second] = [start(admission, caller('tok_1')), start(admission, caller('tok_1'), response)];
  const third = start(admission, caller('tok_1'));
  response.emit('close');
  await second.done;
  expect(second.state).toMatchObject({ code: 'request_timeout' });
  first.end();
  await expect.poll(() => third.state).toBe('running');
});

test('has separate slots for reads and for twice as many writes', async () => {
  const admission = create({ slots: 2, maxWaitMs: 10_000 });
  const writes = [1, 2, 3, 4, 5].map((n) => start(admission, caller(`tok_${n}`), createResponse(), 'write'));
  const reads = [1, 2, 3].map((n) => start(admission, caller(`tok_${n}`)));
  await expect.poll(() => reads.map(({ state }) => state)).toEqual(['running', 'running', 'waiting']);
  expect(writes.map(({ state }) => state)).toEqual(['running', 'running', 'running', 'running', 'waiting']);
});

test('frees the slot of a request that fails', async () => {
  const admission = create({ slots: 1 });
  const failing = admission.run('read', caller('tok_1'), createResponse(), async () => {
    throw new Error('failed');
  });
  await expect(failing).rejects.toThrow('failed');
  const next = start(admission, caller('tok_1'));
  await expect.poll(() => next.state).toBe('running');
});
