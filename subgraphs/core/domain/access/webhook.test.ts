import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatWebhookSecret, retryDelayMs, signatureHeaders, validateWebhookUrl } from './webhook.ts';

test('signs messages like the Standard Webhooks reference libraries', () => {
  const secret = Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64');
  const message = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', at: new Date(1_614_265_330_999), body: '{"test": 2432232314}' };
  expect(signatureHeaders([secret], message)).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
  expect(signatureHeaders([secret, Buffer.alloc(32)], message)['webhook-signature']?.split(' ')).toHaveLength(2);
  expect(formatWebhookSecret(secret)).toBe('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
});

test('retries eight times with rising delays within about a day', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 8, maxLength: 8 }), (randoms) => {
      const delays = randoms.map((random, i) => Number(retryDelayMs(i + 1, random)));
      expect(delays.every((delay, i) => delay > (delays[i - 1] ?? 0))).toBe(true);
      const hours = delays.reduce((sum, delay) => sum + delay) / 3_600_000;
      expect(hours).toBeGreaterThan(20);
      expect(hours).toBeLessThan(27);
    }),
  );
  expect(retryDelayMs(9, 0.5)).toBeNull();
});

test('accepts only https URLs of public hosts unless private networks are allowed', () => {
  const expectRejected = (url: string, networks: string[] = []) =>
    expect(() => validateWebhookUrl(url, networks)).toThrow(expect.objectContaining({ code: 'validation_failed' }));
  expect(validateWebhookUrl('https://example.com/a?b=c#d', [])).toBe('https://example.com/a?b=c');
  for (const url of [
    'http://example.com',
    'ftp://example.com',
    'https://u:p@example.com',
    'https://u@example.com',
    'x',
    `https://e.com/${'x'.repeat(2_000)}`,
  ])
    expectRejected(url);
  for (const host of [
    '127.0.0.1',
    '127.1',
    '0x7f000001',
    '2130706433',
    '[::1]',
    '[::ffff:10.0.0.1]',
    '10.1.2.3',
    '169.254.169.254',
    '[fe80::1]',
    '0.0.0.0',
  ])
    expectRejected(`https://${host}/`);
  expect(validateWebhookUrl('http://10.1.2.3:8080/', ['10.1.0.0/16'])).toBe('http://10.1.2.3:8080/');
  expectRejected('http://10.2.0.1/', ['10.1.0.0/16']);
});
