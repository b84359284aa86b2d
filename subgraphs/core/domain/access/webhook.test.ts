import fc from 'fast-check';
import { expect, test } from 'vitest';
import { validateWebhookUrl, retryDelayMs, formatWebhookSecret, signatureHeaders } from './webhook.ts';

test('a message is signed as the Standard Webhooks say; the example is that of their reference libraries', () => {
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

test('a delivery is tried eight times more, each pause longer than the one before, in about a day', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 8, maxLength: 8 }), (randoms) => {
      const pauses = randoms.map((random, i) => Number(retryDelayMs(i + 1, random)));
      expect(pauses.every((pause, i) => pause > (pauses[i - 1] ?? 0))).toBe(true);
      const hours = pauses.reduce((sum, pause) => sum + pause) / 3_600_000;
      expect(hours).toBeGreaterThan(20);
      expect(hours).toBeLessThan(27);
    }),
  );
  expect(retryDelayMs(9, 0.5)).toBeNull();
});

test('only https to public machines, unless networks of one’s own are allowed', () => {
  const refused = (url: string, networks: string[] = []) =>
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
    refused(url);
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
    refused(`https://${host}/`);
  expect(validateWebhookUrl('http://10.1.2.3:8080/', ['10.1.0.0/16'])).toBe('http://10.1.2.3:8080/');
  refused('http://10.2.0.1/', ['10.1.0.0/16']);
});
