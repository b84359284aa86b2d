// The status of the scheduler and the queue, as the administration page reads it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { client } from '../support/client.ts';
import { createTestDraft, queueTestJob } from '../support/job-fixture.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';
import { requestAs } from '../support/store.ts';

const APART = Boolean(process.env.PDM_TEST_SPLIT);
let pdm: Pdm;
beforeAll(async () => {
  pdm = await startPdm({ scheduler: true });
});
afterAll(() => pdm.close());

const ask = (token: string | undefined, query = '', headers: Record<string, string> = {}) =>
  client(pdm.url, token).get(`/scheduler/status${query}`, headers);

test('shows readers the running scheduler, the queue, and their history', async () => {
  const { status, body, headers } = await ask(pdm.tokens.admin);
  expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(body).toMatchObject({
    waiting: [],
    running: 0,
    history: { everySeconds: 10, waiting: { convert: [], run: [] } },
  });
  if (APART) expect(body).toMatchObject({ scheduler: null, schedulerError: expect.stringContaining('no scheduler') });
  else
    expect(body).toMatchObject({
      scheduler: {
        version: expect.any(String),
        draining: false,
        running: [],
        engines: [{ types: expect.arrayContaining(['convert']) }],
      },
      schedulerError: null,
    });
  expect(
    (await Promise.all(Array.from({ length: 8 }, () => ask(pdm.tokens.viewer)))).map((answer) => answer.status),
  ).toEqual(Array(8).fill(200));
});

test('counts queued jobs by type and requirements', async () => {
  const editor = requestAs('editor');
  await queueTestJob(pdm.services, editor, await createTestDraft(pdm.services, editor), {
    environment: { engine: 'another' },
  });
  const { body } = await ask(pdm.tokens.viewer);
  expect(body).toMatchObject({
    waiting: [{ type: 'convert', environment: 'engine:another', count: 1, oldest: expect.any(String) }],
    running: 0,
  });
});

test('rejects workers and anonymous callers, and accepts a browser session', async () => {
  expect((await ask(pdm.tokens.worker)).body).toMatchObject({ status: 403, code: 'forbidden' });
  expect((await ask(undefined)).body).toMatchObject({ status: 401, code: 'unauthenticated' });
  const page = { 'sec-fetch-site': 'same-origin', 'x-pdm-csrf': '1' };
  const signedIn = await client(pdm.url).post('/session', { token: pdm.tokens.admin }, page);
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
  expect((await ask(undefined, '', { cookie, 'sec-fetch-site': 'same-origin' })).status).toBe(200);
  expect((await ask(undefined, '', { cookie, 'sec-fetch-site': 'cross-site' })).body).toMatchObject({
    status: 403,
    code: 'cross_site_request',
  });
});

test('returns only the history after a given second on request', async () => {
  expect((await ask(pdm.tokens.viewer, `?since=${Math.floor(Date.now() / 1000)}`)).body.history.at).toEqual([]);
  for (const since of ['', '-1', '1e3', 'now', '1&since=2'])
    expect((await ask(pdm.tokens.viewer, `?since=${since}`)).body).toMatchObject({
      status: 400,
      errors: [{ path: '/since' }],
    });
});
