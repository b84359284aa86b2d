import { expect, test } from 'vitest';
import type { Actor } from '../../subgraphs/core/domain/access/actor.ts';
import { createRateLimit, parseRate } from './rate-limit.ts';

const actor = (tokenId: string | null, role: Actor['role'] = 'editor', id = 'usr_1'): Actor => ({
  id,
  name: 'Ed',
  role,
  tokenId,
  via: 'token',
});
const refusal = expect.objectContaining({ code: 'rate_limited', details: { retryAfter: 1 } });

test('allows a burst per token, then the sustained rate, and exempts workers', () => {
  let now = 0;
  const admit = createRateLimit({ perSecond: 50, burst: 200 }, () => now);
  for (let n = 0; n < 200; n++) admit(actor('tok_1'));
  expect(() => admit(actor('tok_1'))).toThrow(refusal);
  expect(admit(actor('tok_2'))).toEqual({ 'ratelimit-policy': '"token";q=200;w=4', ratelimit: '"token";r=199;t=1' });
  for (let n = 0; n < 1000; n++) expect(admit(actor('tok_3', 'worker'))).toEqual({});
  now = 100;
  for (let n = 0; n < 5; n++) admit(actor('tok_1'));
  expect(() => admit(actor('tok_1'))).toThrow(refusal);
  now = 60_000;
  expect(admit(actor('tok_1')).ratelimit).toBe('"token";r=199;t=1');
});

test('counts tokens of an identity provider by user', () => {
  const admit = createRateLimit({ perSecond: 1, burst: 1 }, () => 0);
  admit(actor(null));
  expect(() => admit(actor(null))).toThrow(refusal);
  admit(actor(null, 'editor', 'usr_2'));
});

test('keeps at most 10,000 buckets and refills the least recently used', () => {
  const admit = createRateLimit({ perSecond: 1, burst: 1 }, () => 0);
  for (let n = 0; n <= 10_000; n++) admit(actor(`tok_${n}`));
  admit(actor('tok_0'));
  expect(() => admit(actor('tok_10000'))).toThrow(refusal);
});

test('parses a rate and a burst, or off', () => {
  expect([parseRate('50/200'), parseRate('off'), createRateLimit(parseRate('off'))(actor('tok_1'))]).toEqual([
    { perSecond: 50, burst: 200 },
    null,
    {},
  ]);
  for (const wrong of ['', '50', '0/10', '10/0', '-1/5', 'on']) expect(() => parseRate(wrong)).toThrow('50/200');
});
