// HTTP middleware: rate limits, content encoding, OPTIONS and HEAD, CORS, and the documentation page.
import { request as httpRequest } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { getIntrospectionQuery } from 'graphql';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ROUTES } from '../../rest-adapter/routes.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';

const ALLOWED_ORIGIN = 'https://plm.example.com';
let pdm: Pdm;
beforeAll(async () => {
  pdm = await startPdm({ settings: { PDM_RATE_LIMIT: '1/50', PDM_CORS_ORIGINS: ALLOWED_ORIGIN } });
});
afterAll(() => pdm.close());

type Raw = { status: number; headers: Record<string, unknown>; body: Buffer };
/** Sends a request without decoding the response as fetch would. */
const raw = (method: string, path: string, headers: Record<string, string> = {}): Promise<Raw> =>
  new Promise((resolve, reject) => {
    const request = httpRequest(
      `${pdm.url}${path}`,
      { method, headers: { authorization: `Bearer ${pdm.tokens.admin}`, ...headers } },
      async (response) =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: await buffer(response) }),
    );
    request.once('error', reject).end();
  });

test('compresses large JSON with br or gzip on request, under the same ETag', async () => {
  const plain = await raw('GET', '/api/v1/openapi.json');
  const br = await raw('GET', '/api/v1/openapi.json', { 'accept-encoding': 'gzip, br' });
  const gzip = await raw('GET', '/api/v1/openapi.json', { 'accept-encoding': 'gzip' });
  expect([plain, br, gzip].map(({ headers }) => headers['content-encoding'])).toEqual([undefined, 'br', 'gzip']);
  expect([brotliDecompressSync(br.body).equals(plain.body), gunzipSync(gzip.body).equals(plain.body)]).toEqual([
    true,
    true,
  ]);
  expect(br.body.length * 5).toBeLessThan(plain.body.length);
  expect([br.headers.etag, gzip.headers.etag]).toEqual([plain.headers.etag, plain.headers.etag]);
  expect([plain, br].map(({ headers }) => String(headers.vary))).toEqual(
    Array(2).fill(expect.stringContaining('accept-encoding')),
  );
  expect((await raw('GET', '/api/v1/me', { 'accept-encoding': 'br' })).headers['content-encoding']).toBeUndefined();
});

test('sends a file as it was stored', async () => {
  const { drafts } = (await pdm.admin.post('/documents', { name: 'A', kind: 'model' })).body;
  await pdm.admin.upload(drafts[0].id, 'source', `ISO-10303-21;${' '.repeat(5000)}`, { fileName: 'part.stp' });
  const { headers, body } = await raw('GET', `/api/v1/versions/${drafts[0].id}/artifacts/source/file`, {
    'accept-encoding': 'br, gzip',
  });
  expect([headers['content-encoding'], body.length]).toEqual([undefined, 5013]);
});

test('returns the supported methods for OPTIONS without a token, and with 405', async () => {
  const { status, headers, body } = await raw('OPTIONS', '/api/v1/documents/x', { authorization: '' });
  expect([status, headers.allow, body.length]).toEqual([204, 'GET, HEAD, PATCH, DELETE, OPTIONS', 0]);
  const put = await raw('PUT', '/api/v1/documents/x');
  expect([put.status, put.headers.allow]).toEqual([405, 'GET, HEAD, PATCH, DELETE, OPTIONS']);
  expect((await raw('OPTIONS', '/api/v1/nowhere')).status).toBe(404);
});

test('responds to HEAD on every address that supports GET', async () => {
  const paths = ROUTES.flatMap(({ routes }) => routes).filter(({ method }) => method === 'GET');
  const checked = paths
    .filter(({ path }) => !path.includes(':') && !/verify|stream|resolve/.test(path))
    .map(({ path }) => path);
  // An event that is sealed between the two requests would change the list.
  const newest = (await pdm.admin.get('/audit?limit=1')).body.items[0].id;
  const events = async () => (await pdm.editor.get('/events?limit=200')).bytes.toString();
  await vi.waitFor(async () => expect(await events()).toContain(newest), { timeout: 20_000, interval: 500 });
  for (const path of checked) {
    const [head, get] = [await raw('HEAD', `/api/v1${path}`), await raw('GET', `/api/v1${path}`)];
    expect([path, head.status, head.body.length, head.headers.etag]).toEqual([path, get.status, 0, get.headers.etag]);
  }
});

test('allows cross-origin requests only from the configured origin', async () => {
  const preflight = {
    'access-control-request-method': 'PATCH',
    'access-control-request-headers': 'authorization, if-match',
  };
  const allowed = await raw('OPTIONS', '/api/v1/documents/x', { origin: ALLOWED_ORIGIN, ...preflight });
  expect([allowed.status, allowed.headers['access-control-allow-origin']]).toEqual([204, ALLOWED_ORIGIN]);
  expect(allowed.headers['access-control-allow-headers']).toContain('If-Match');
  const response = await raw('GET', '/api/v1/me', { origin: ALLOWED_ORIGIN });
  expect([response.headers['access-control-allow-origin'], response.headers['access-control-expose-headers']]).toEqual([
    ALLOWED_ORIGIN,
    expect.stringContaining('ETag'),
  ]);
  const other = await raw('GET', '/api/v1/me', { origin: 'https://evil.example.com' });
  expect([other.status, other.headers['access-control-allow-origin'], other.headers.vary]).toEqual([
    200,
    undefined,
    'origin, accept-encoding',
  ]);
});

test('allows the preflight and the requests of Apollo Studio', async () => {
  const names = ['authorization', 'content-type', 'apollographql-client-name', 'apollographql-client-version'];
  const preflight = await raw('OPTIONS', '/graphql', {
    origin: ALLOWED_ORIGIN,
    'access-control-request-method': 'POST',
    'access-control-request-headers': [...names, 'x-apollo-operation-name'].join(','),
  });
  expect(preflight.status).toBe(204);
  const allowed = String(preflight.headers['access-control-allow-headers']).toLowerCase().split(', ');
  expect(allowed).toEqual(expect.arrayContaining([...names, 'x-apollo-operation-name']));
  const response = await fetch(`${pdm.url}/graphql`, {
    method: 'POST',
    headers: {
      origin: ALLOWED_ORIGIN,
      authorization: `Bearer ${pdm.tokens.admin}`,
      'content-type': 'application/json',
      'apollographql-client-name': 'explorer',
    },
    body: JSON.stringify({ query: getIntrospectionQuery({ oneOf: true }) }),
  });
  expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([200, ALLOWED_ORIGIN]);
  expect(JSON.parse(await response.text()).data.__schema.queryType.name).toBe('Query');
});

test('throttles a token over its rate limit in REST and GraphQL, but no other tokens and no workers', async () => {
  const first = await pdm.viewer.get('/me');
  expect([first.headers.get('ratelimit-policy'), first.headers.get('ratelimit')]).toEqual([
    '"token";q=50;w=50',
    '"token";r=49;t=1',
  ]);
  const responses = await Promise.all(
    Array.from({ length: 60 }, (_, n) => (n % 2 ? pdm.viewer.get('/me') : pdm.viewer.graphql('{ me { id } }'))),
  );
  const rejected = responses.filter(({ status }) => status === 429);
  expect(rejected.length).toBeGreaterThanOrEqual(8);
  expect(rejected.every(({ headers }) => Number(headers.get('retry-after')) >= 1)).toBe(true);
  const codes = rejected.map(({ body }) => body.code ?? body.errors[0].extensions.code);
  expect(new Set(codes)).toEqual(new Set(['rate_limited']));
  expect((await pdm.editor.get('/me')).status).toBe(200);
  const workers = await Promise.all(Array.from({ length: 60 }, () => pdm.worker.get('/jobs/job_none/context')));
  expect(workers.some(({ status }) => status === 429)).toBe(false);
});

test('serves the documentation as a page without external resources', async () => {
  const { status, headers, body } = await raw('GET', '/api/v1/docs', { authorization: '' });
  expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'; connect-src 'self'; .*script-src 'sha256-/);
  expect(body.toString()).not.toMatch(/https?:\/\/|<script src|<link rel="stylesheet"/);
});
