import { expect, test } from 'vitest';
import type { Actor } from '../subgraphs/core/domain/access/actor.ts';
import { createConcurrencyLimits } from './concurrency-limits.ts';

const actor = (tokenId: string | null, role: Actor['role'] = 'editor', id = 'usr_1'): Actor => ({
  id,
  name: 'Ed',
  role,
  tokenId,
  via: 'token',
});
const refused = (code: string, retryAfter: number) =>
  expect.objectContaining({ code, details: expect.objectContaining({ retryAfter }) });
const max = { requests: 3, uploads: 2, streams: 1 };

test('limits concurrent requests until one of them ends', () => {
  const limits = createConcurrencyLimits(max);
  const [first] = [limits.acquireRequest(), limits.acquireRequest(), limits.acquireRequest()];
  expect(() => limits.acquireRequest()).toThrow(refused('unavailable', 1));
  first();
  first();
  limits.acquireRequest();
  expect(() => limits.acquireRequest()).toThrow(refused('unavailable', 1));
});

test('limits uploads and streams separately for each token, or each user of an identity provider', () => {
  const limits = createConcurrencyLimits(max);
  const release = limits.acquireLong('upload', actor('tok_1'));
  limits.acquireLong('upload', actor('tok_1'));
  expect(() => limits.acquireLong('upload', actor('tok_1'))).toThrow(refused('rate_limited', 5));
  limits.acquireLong('stream', actor('tok_1'));
  limits.acquireLong('upload', actor('tok_2'));
  for (const id of ['usr_1', 'usr_2']) limits.acquireLong('stream', actor(null, 'viewer', id));
  expect(() => limits.acquireLong('stream', actor(null, 'viewer', 'usr_1'))).toThrow(refused('rate_limited', 5));
  release();
  limits.acquireLong('upload', actor('tok_1'));
});

test('exempts workers, whose slots share a token', () => {
  const limits = createConcurrencyLimits(max);
  for (let n = 0; n < 100; n++)
    for (const kind of ['upload', 'stream'] as const) limits.acquireLong(kind, actor('tok_1', 'worker'));
});
