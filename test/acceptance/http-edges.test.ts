// What stands around every answer: how much a token may ask, how answers are coded, what an address takes, which pages may ask.
import { request as httpRequest } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROUTES } from '../../rest-adapter/routes.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';

const PAGE = 'https://plm.example.com';
let pdm: Pdm;
beforeAll(async () => {
  pdm = await startPdm({ settings: { PDM_RATE_LIMIT: '1/50', PDM_CORS_ORIGINS: PAGE } });
});
afterAll(() => pdm.close());

type Raw = { status: number; headers: Record<string, unknown>; body: Buffer };
/** As it is on the wire: fetch would take the coding off. */
const raw = (method: string, path: string, headers: Record<string, string> = {}): Promise<Raw> =>
  new Promise((resolve, reject) => {
    const asked = httpRequest(
      `${pdm.url}${path}`,
      { method, headers: { authorization: `Bearer ${pdm.tokens.admin}`, ...headers } },
      async (answer) =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: await buffer(answer) }),
    );
    asked.once('error', reject).end();
  });

test('JSON of some length is sent as br or gzip to who takes it, under the same ETag', async () => {
  const plain = await raw('GET', '/api/v1/openapi.json');
  const br = await raw('GET', '/api/v1/openapi.json', { 'accept-encoding': 'gzip, br' });
  const zipped = await raw('GET', '/api/v1/openapi.json', { 'accept-encoding': 'gzip' });
  expect([plain, br, zipped].map(({ headers }) => headers['content-encoding'])).toEqual([undefined, 'br', 'gzip']);
  expect([brotliDecompressSync(br.body).equals(plain.body), gunzipSync(zipped.body).equals(plain.body)]).toEqual([
    true,
    true,
  ]);
  expect(br.body.length * 5).toBeLessThan(plain.body.length);
  expect([br.headers.etag, zipped.headers.etag]).toEqual([plain.headers.etag, plain.headers.etag]);
  expect([plain, br].map(({ headers }) => String(headers.vary))).toEqual(
    Array(2).fill(expect.stringContaining('accept-encoding')),
  );
  expect((await raw('GET', '/api/v1/me', { 'accept-encoding': 'br' })).headers['content-encoding']).toBeUndefined();
});

test('a file and its JSON are sent as they were stored', async () => {
  const { drafts } = (await pdm.admin.post('/documents', { name: 'A', kind: 'model' })).body;
  await pdm.admin.upload(drafts[0].id, 'source', `ISO-10303-21;${' '.repeat(5000)}`, { fileName: 'part.stp' });
  const { headers, body } = await raw('GET', `/api/v1/versions/${drafts[0].id}/artifacts/source/file`, {
    'accept-encoding': 'br, gzip',
  });
  expect([headers['content-encoding'], body.length]).toEqual([undefined, 5013]);
});

test('OPTIONS tells what an address takes, without a token, and a method it does not take is told the same', async () => {
  const { status, headers, body } = await raw('OPTIONS', '/api/v1/documents/x', { authorization: '' });
  expect([status, headers.allow, body.length]).toEqual([204, 'GET, HEAD, PATCH, DELETE, OPTIONS', 0]);
  const put = await raw('PUT', '/api/v1/documents/x');
  expect([put.status, put.headers.allow]).toEqual([405, 'GET, HEAD, PATCH, DELETE, OPTIONS']);
  expect((await raw('OPTIONS', '/api/v1/nowhere')).status).toBe(404);
});

test('every address that can be read answers HEAD', async () => {
  const paths = ROUTES.flatMap(({ routes }) => routes).filter(({ method }) => method === 'GET');
  const some = paths
    .filter(({ path }) => !path.includes(':') && !/verify|stream|resolve/.test(path))
    .map(({ path }) => path);
  for (const path of some) {
    const [head, get] = [await raw('HEAD', `/api/v1${path}`), await raw('GET', `/api/v1${path}`)];
    expect([path, head.status, head.body.length, head.headers.etag]).toEqual([path, get.status, 0, get.headers.etag]);
  }
});

test('a page of a named origin may ask, of another not', async () => {
  const preflight = {
    'access-control-request-method': 'PATCH',
    'access-control-request-headers': 'authorization, if-match',
  };
  const asked = await raw('OPTIONS', '/api/v1/documents/x', { origin: PAGE, ...preflight });
  expect([asked.status, asked.headers['access-control-allow-origin']]).toEqual([204, PAGE]);
  expect(asked.headers['access-control-allow-headers']).toContain('If-Match');
  const answer = await raw('GET', '/api/v1/me', { origin: PAGE });
  expect([answer.headers['access-control-allow-origin'], answer.headers['access-control-expose-headers']]).toEqual([
    PAGE,
    expect.stringContaining('ETag'),
  ]);
  const other = await raw('GET', '/api/v1/me', { origin: 'https://evil.example.com' });
  expect([other.status, other.headers['access-control-allow-origin'], other.headers.vary]).toEqual([
    200,
    undefined,
    'origin, accept-encoding',
  ]);
});

test('a token that asks too much is told to wait, in REST and in GraphQL; other tokens and workers are not', async () => {
  const first = await pdm.viewer.get('/me');
  expect([first.headers.get('ratelimit-policy'), first.headers.get('ratelimit')]).toEqual([
    '"token";q=50;w=50',
    '"token";r=49;t=1',
  ]);
  const asked = await Promise.all(
    Array.from({ length: 60 }, (_, n) => (n % 2 ? pdm.viewer.get('/me') : pdm.viewer.graphql('{ me { id } }'))),
  );
  const refused = asked.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThanOrEqual(8);
  expect(refused.every(({ headers }) => Number(headers.get('retry-after')) >= 1)).toBe(true);
  const codes = refused.map(({ body }) => body.code ?? body.errors[0].extensions.code);
  expect(new Set(codes)).toEqual(new Set(['rate_limited']));
  expect((await pdm.editor.get('/me')).status).toBe(200);
  const workers = await Promise.all(Array.from({ length: 60 }, () => pdm.worker.get('/jobs/job_none/context')));
  expect(workers.some(({ status }) => status === 429)).toBe(false);
});

test('the description is there as a page, which needs nothing from elsewhere', async () => {
  const { status, headers, body } = await raw('GET', '/api/v1/docs', { authorization: '' });
  expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'; connect-src 'self'; .*script-src 'sha256-/);
  expect(body.toString()).not.toMatch(/https?:\/\/|<script src|<link rel="stylesheet"/);
});
