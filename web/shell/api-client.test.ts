import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { TypedDocumentString } from '../generated/operations.ts';
import { execute, restRequest } from './api-client.ts';

type Sent = { url: string; key: string | null };

const responses: (() => Response)[] = [];
const sent: Sent[] = [];
beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    sent.push({ url, key: new Headers(init.headers).get('idempotency-key') });
    return responses.shift()!();
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  responses.length = sent.length = 0;
});

const lost = () => {
  throw new TypeError('fetch failed');
};
const problem = (status: number, code: string) => () => Response.json({ code, title: code, retryAfter: 1 }, { status });
const graphqlError = (code: string) => () => Response.json({ errors: [{ message: code, extensions: { code } }] });
const operation = (text: string) => new TypedDocumentString<unknown, Record<string, never>>(text);

const writes = [
  ['a mutation', '/graphql', () => execute(operation('mutation Rename { rename }'), {}), graphqlError],
  [
    'a REST write',
    '/api/v1/versions/ver_1/artifacts',
    () => restRequest('/versions/ver_1/artifacts', { method: 'POST', body: {} }),
    (code: string) => problem(code === 'timeout' ? 504 : 503, code),
  ],
] as const;

test.each(writes)('sends %s with an idempotency key, another one for each write', async (_name, url, write) => {
  for (let n = 0; n < 2; n++) {
    responses.push(() => Response.json({ data: {} }));
    await write();
  }
  const keys = sent.map(({ key }) => key);
  expect(sent.map((request) => request.url)).toEqual([url, url]);
  expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), expect.stringMatching(/^[0-9a-f]{32}$/)]);
  expect(new Set(keys).size).toBe(2);
});

test.each(writes)('repeats %s whose response was lost, under the same key', async (_name, _url, write) => {
  responses.push(lost, () => Response.json({ data: {} }));
  const writing = write();
  await vi.runAllTimersAsync();
  await writing;
  expect(sent).toHaveLength(2);
  expect(sent[1]?.key).toBe(sent[0]?.key);
});

test.each(writes)(
  'repeats %s whose outcome is unknown, and gives up after three attempts',
  async (...[, , write, fail]) => {
    responses.push(fail('timeout'), fail('unavailable'), fail('overloaded'));
    const writing = expect(write()).rejects.toMatchObject({ code: 'overloaded' });
    await vi.runAllTimersAsync();
    await writing;
    expect(sent).toHaveLength(3);
    expect(new Set(sent.map(({ key }) => key)).size).toBe(1);
  },
);

test.each(writes)('does not repeat %s that was refused', async (...[, , write, fail]) => {
  responses.push(fail('conflict'));
  await expect(write()).rejects.toMatchObject({ code: 'conflict' });
  expect(sent).toHaveLength(1);
});

test('sends reads without a key, and repeats them only while the service is overloaded', async () => {
  responses.push(problem(503, 'overloaded'), () => Response.json({}), lost);
  const reading = restRequest('/versions/ver_1/artifacts');
  await vi.runAllTimersAsync();
  expect((await reading).status).toBe(200);
  await expect(restRequest('/versions/ver_1/artifacts')).rejects.toThrow('Cannot reach the service.');
  expect(sent.map(({ key }) => key)).toEqual([null, null, null]);
});
