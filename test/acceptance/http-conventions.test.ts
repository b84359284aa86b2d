// Conventions of all routes: health, request ids, problem documents, caching, limits and input formats.
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROUTES, SERVICE_ROUTES } from '../../rest-adapter/routes.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';

let pdm: Pdm;
let id: string;
beforeAll(async () => {
  pdm = await startPdm();
  id = (await pdm.editor.post('/documents', { name: 'Bracket', kind: 'model' })).body.id;
});
afterAll(() => pdm.close());

test('returns the health of the API, the database, the file store and the queue without a token', async () => {
  const { status, body } = await pdm.anonymous.get('/health');
  expect([status, body.status, Object.keys(body.parts).sort(), body.down]).toEqual([
    200,
    'ok',
    ['api', 'database', 'fileStore', 'jobs'],
    [],
  ]);
});

test('returns the given or a generated request id in the header and the problem document', async () => {
  expect((await pdm.viewer.get('/me', { 'x-request-id': 'req-1' })).headers.get('x-request-id')).toBe('req-1');
  const { headers, body } = await pdm.viewer.get('/documents/none', { 'x-request-id': 'not good' });
  expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  expect(body).toMatchObject({
    type: '/problems/not_found',
    status: 404,
    code: 'not_found',
    instance: '/api/v1/documents/none',
    requestId: headers.get('x-request-id'),
  });
  expect(headers.get('content-type')).toBe('application/problem+json');
  const page = await fetch(pdm.url + body.type);
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
});

test('returns 404 for an unknown address and 405 for a method that it does not support', async () => {
  expect((await pdm.viewer.get('/nothing')).body.code).toBe('not_found');
  const response = await fetch(`${pdm.url}/api/v1/documents/${id}`, { method: 'PUT' });
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, PATCH, DELETE, OPTIONS']);
});

test('returns 4xx for an address that is too long or cannot be decoded', async () => {
  for (const path of ['/documents/%E0%A4%A', `/documents/${'x'.repeat(1000)}`, `/documents/${'%00'.repeat(20)}`]) {
    const { status } = await pdm.viewer.get(path);
    expect([path, status >= 400 && status < 500]).toEqual([path, true]);
  }
});

test('returns an ETag that changes with the record', async () => {
  const first = await pdm.viewer.get(`/documents/${id}`);
  const etag = String(first.headers.get('etag'));
  expect((await pdm.viewer.get(`/documents/${id}`, { 'if-none-match': etag })).status).toBe(304);
  await pdm.editor.patch(`/documents/${id}`, { description: 'changed' });
  const second = await pdm.viewer.get(`/documents/${id}`, { 'if-none-match': etag });
  expect([second.status, second.body.description]).toEqual([200, 'changed']);
});

describe('a request body', () => {
  const patch = async (body: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${pdm.url}/api/v1/documents/${id}`, {
      method: 'PATCH',
      body,
      headers: { authorization: `Bearer ${pdm.tokens.editor}`, 'content-type': 'application/json', ...headers },
    });
    return [response.status, ((await response.json()) as { code?: string }).code];
  };

  test.each([
    ['broken', '{"name":'],
    ['a list', '[]'],
    ['a string', '"x"'],
    ['too deeply nested', `{"name":${'['.repeat(5000)}${']'.repeat(5000)}}`],
    ['a prototype pollution', '{"__proto__":{"admin":true}}'],
    ['an operator', '{"name":{"$gt":""}}'],
    ['not UTF-8', '{"name":"\xff'],
    ['an object with unknown fields', '{"colour":"red"}'],
  ])('rejects a request body that is %s', async (_label, body) => {
    expect(await patch(body)).toEqual([400, 'validation_failed']);
  });

  test('returns 413 for a request body over 1 MiB, and 415 for another type or a compressed body', async () => {
    expect(await patch(JSON.stringify({ description: 'x'.repeat(1024 * 1024) }))).toEqual([413, 'file_too_large']);
    expect(await patch('name=x', { 'content-type': 'application/x-www-form-urlencoded' })).toEqual([
      415,
      'unsupported_media_type',
    ]);
    expect(await patch('{}', { 'content-encoding': 'gzip' })).toEqual([415, 'unsupported_media_type']);
  });
});

test('responds with a problem document to malformed HTTP and oversized headers', async () => {
  const send = async (bytes: string) => {
    const socket = connect(Number(new URL(pdm.url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(bytes);
    return (await text(socket)).split('\r\n\r\n').map((part, i) => (i ? JSON.parse(part).code : part.split(' ')[1]));
  };
  expect(await send('NONSENSE\r\n\r\n')).toEqual(['400', 'validation_failed']);
  expect(await send(`GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`)).toEqual([
    '431',
    'headers_too_large',
  ]);
});

test('describes every route in OpenAPI, and no other', async () => {
  const { status, body } = await pdm.viewer.get('/openapi.json');
  expect([status, body.openapi]).toEqual([200, '3.1.0']);
  const described = Object.entries<object>(body.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const routed = [...ROUTES.flatMap(({ routes }) => routes), ...SERVICE_ROUTES].map(
    ({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`,
  );
  expect(described.sort()).toEqual(routed.sort());
});

test('publishes the schema of asm.json', async () => {
  const { status, headers, body } = await pdm.viewer.get('/schemas/asm.json');
  expect([status, headers.get('content-type'), body.$schema]).toEqual([
    200,
    'application/schema+json; charset=utf-8',
    'https://json-schema.org/draft/2020-12/schema',
  ]);
});
