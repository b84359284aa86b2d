import { expect, test } from 'vitest';
import type { Actor } from '../../subgraphs/core/domain/access/actor.ts';
import { rateLimit, rateOf } from './rate-limit.ts';

const actor = (tokenId: string | null, role: Actor['role'] = 'editor', id = 'usr_1'): Actor => ({
  id,
  name: 'Ed',
  role,
  tokenId,
  via: 'token',
});
const refusal = expect.objectContaining({ code: 'rate_limited', details: { retryAfter: 1 } });

test('a token has a burst, then as many requests as flow in; other tokens and workers do not feel it', () => {
  let now = 0;
  const admit = rateLimit({ perSecond: 50, burst: 200 }, () => now);
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

test('what comes from an identity provider is counted by its user', () => {
  const admit = rateLimit({ perSecond: 1, burst: 1 }, () => 0);
  admit(actor(null));
  expect(() => admit(actor(null))).toThrow(refusal);
  admit(actor(null, 'editor', 'usr_2'));
});

test('no more tokens are remembered than a bound: the one unused longest begins anew', () => {
  const admit = rateLimit({ perSecond: 1, burst: 1 }, () => 0);
  for (let n = 0; n <= 10_000; n++) admit(actor(`tok_${n}`));
  admit(actor('tok_0'));
  expect(() => admit(actor('tok_10000'))).toThrow(refusal);
});

test('the setting is a rate and a burst, or off', () => {
  expect([rateOf('50/200'), rateOf('off'), rateLimit(rateOf('off'))(actor('tok_1'))]).toEqual([
    { perSecond: 50, burst: 200 },
    null,
    {},
  ]);
  for (const wrong of ['', '50', '0/10', '10/0', '-1/5', 'on']) expect(() => rateOf(wrong)).toThrow('50/200');
});
