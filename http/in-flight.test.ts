import { expect, test } from 'vitest';
import type { Actor } from '../subgraphs/core/domain/access/actor.ts';
import { inFlight } from './in-flight.ts';

const actor = (tokenId: string | null, role: Actor['role'] = 'editor', id = 'usr_1'): Actor => ({
  id,
  name: 'Ed',
  role,
  tokenId,
  via: 'token',
});
const refused = (code: string, retryAfter: number) =>
  expect.objectContaining({ code, details: expect.objectContaining({ retryAfter }) });
const most = { requests: 3, uploads: 2, streams: 1 };

test('there are so many requests at once and no more, until one of them ends', () => {
  const places = inFlight(most);
  const [first] = [places.enter(), places.enter(), places.enter()];
  expect(() => places.enter()).toThrow(refused('unavailable', 1));
  first();
  first();
  places.enter();
  expect(() => places.enter()).toThrow(refused('unavailable', 1));
});

test('each token has places of its own for uploads and for streams, each user of an identity provider likewise', () => {
  const places = inFlight(most);
  const leave = places.hold('upload', actor('tok_1'));
  places.hold('upload', actor('tok_1'));
  expect(() => places.hold('upload', actor('tok_1'))).toThrow(refused('rate_limited', 5));
  places.hold('stream', actor('tok_1'));
  places.hold('upload', actor('tok_2'));
  for (const id of ['usr_1', 'usr_2']) places.hold('stream', actor(null, 'viewer', id));
  expect(() => places.hold('stream', actor(null, 'viewer', 'usr_1'))).toThrow(refused('rate_limited', 5));
  leave();
  places.hold('upload', actor('tok_1'));
});

test('the slots of a worker share a token and are not counted', () => {
  const places = inFlight(most);
  for (let n = 0; n < 100; n++)
    for (const what of ['upload', 'stream'] as const) places.hold(what, actor('tok_1', 'worker'));
});
