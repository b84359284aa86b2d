// Webhook requests: addresses, redirects, timeouts and errors.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Receiver, receiver } from '../../../test/support/receiver.ts';
import { postWebhook } from './post-webhook.ts';

let hook: Receiver;
beforeEach(async () => {
  hook = await receiver();
});
afterEach(() => hook.close());

const never = new AbortController().signal;
const port = () => new URL(hook.url).port;

function post(url: string, options: Partial<Parameters<typeof postWebhook>[1]> = {}) {
  return postWebhook(
    { url, headers: { 'webhook-id': 'aud_1' }, body: '{"type":"x"}' },
    { networks: ['127.0.0.1'], signal: never, ...options },
  );
}

test('rejects hosts with a private address, among others too, before anything is sent', async () => {
  for (const answer of [['10.0.0.1'], ['93.184.215.14', '127.0.0.1'], ['::ffff:169.254.169.254'], ['fd00::1']]) {
    const { status, error } = await post(`https://example.com:${port()}/`, {
      networks: [],
      resolve: async () => answer,
    });
    expect([status, error]).toEqual([null, expect.stringContaining('not a public address')]);
  }
  expect((await post(hook.url, { networks: [] })).error).toContain('PDM_WEBHOOKS_ALLOWED_NETWORKS');
  expect(hook.got).toEqual([]);
});

test('resolves the host once and connects to that address', async () => {
  let lookups = 0;
  const resolve = async () => (lookups++ === 0 ? ['127.0.0.1'] : ['10.0.0.1']);
  expect(await post(`http://somewhere.example:${port()}/hook`, { resolve })).toEqual({
    status: 204,
    error: null,
    responseBody: null,
  });
  expect([lookups, hook.got.length]).toEqual([1, 1]);
});

test('rejects http to public addresses', async () => {
  const { error } = await post('http://example.com/', { resolve: async () => ['93.184.215.14'] });
  expect(error).toContain('requires https://');
});

test('reports unknown hosts and refused connections', async () => {
  const unknown = async () => {
    throw Object.assign(new Error(), { code: 'ENOTFOUND' });
  };
  expect((await post('https://unknown.example/', { resolve: unknown })).error).toContain('ENOTFOUND');
  await hook.close();
  expect((await post(hook.url)).error).toContain('ECONNREFUSED');
});

test('does not follow redirects, and reads only the start of an endless response', async () => {
  hook.answer((_got, response) => response.writeHead(307, { location: 'http://10.0.0.1/' }).end());
  expect((await post(hook.url)).status).toBe(307);
  hook.answer(async (_got, response) => {
    response.writeHead(200);
    while (!response.destroyed) {
      response.write('x'.repeat(700));
      await sleep(1);
    }
  });
  expect(await post(hook.url)).toEqual({ status: 200, error: null, responseBody: 'x'.repeat(1024) });
  expect(hook.got).toHaveLength(2);
});

test('times out without a response, and rejects immediately on abort', async () => {
  hook.answer(() => {});
  expect((await post(hook.url, { timeoutMs: 50 })).error).toBe('no response within 0.05 s');
  expect((await post('https://slow.example/', { timeoutMs: 50, resolve: () => new Promise(() => {}) })).error).toBe(
    'no response within 0.05 s',
  );
  const stopping = new AbortController();
  const sent = post(hook.url, { signal: stopping.signal });
  stopping.abort(new Error('stopping'));
  await expect(sent).rejects.toThrow();
});
