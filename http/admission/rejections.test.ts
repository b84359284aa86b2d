import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DomainError } from '../../subgraphs/core/domain/errors.ts';
import { createRejections } from './rejections.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const rejection = (retryAfter: number) => new DomainError('overloaded', 'Too many requests.', { retryAfter });
const responseOn = (socket: object) => Object.assign(new EventEmitter(), { socket }) as unknown as ServerResponse;

/** Waits as a request on the connection; `state` becomes done or the code of the error. */
function waitOn(socket: object, caller = 'tok_1') {
  const response = responseOn(socket);
  const request = { response, state: 'waiting' };
  rejections.waitBeforeRepeat(caller, response).then(
    () => {
      request.state = 'done';
    },
    (error: DomainError) => {
      request.state = error.code;
    },
  );
  return request;
}
const rejections = createRejections();

test.each([
  ['as long as Retry-After says', 0.5, 500],
  ['at most a second', 30, 1_000],
])('delays a repeated request on the same connection %s', async (_, retryAfter, ms) => {
  const socket = {};
  rejections.record('tok_1', responseOn(socket), rejection(retryAfter));
  const request = waitOn(socket);
  await vi.advanceTimersByTimeAsync(ms - 1);
  expect(request.state).toBe('waiting');
  await vi.advanceTimersByTimeAsync(1);
  expect(request.state).toBe('done');
});

test('does not delay other connections, other callers of the connection, and clients that have waited', async () => {
  const socket = {};
  rejections.record('tok_1', responseOn(socket), rejection(1));
  const others = [waitOn({}), waitOn(socket, 'tok_2')];
  await vi.advanceTimersByTimeAsync(0);
  expect(others.map(({ state }) => state)).toEqual(['done', 'done']);
  await vi.advanceTimersByTimeAsync(1_000);
  const late = waitOn(socket);
  await vi.advanceTimersByTimeAsync(0);
  expect(late.state).toBe('done');
});

test('forgets a delayed request whose client disconnects', async () => {
  const socket = {};
  rejections.record('tok_1', responseOn(socket), rejection(1));
  const request = waitOn(socket);
  request.response.emit('close');
  await vi.advanceTimersByTimeAsync(0);
  expect(request.state).toBe('request_timeout');
  expect(vi.getTimerCount()).toBe(0);
});
