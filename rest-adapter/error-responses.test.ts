import { describe, expect, test } from 'vitest';
import { statusOf } from '../http/response/status.ts';
import { CATALOGUE } from '../subgraphs/core/domain/errors.ts';
import { EDITOR, restApp } from './testing/rest-app.ts';
import { api, failWith, sendRequest } from './testing/send-request.ts';

describe('refusals', () => {
  test.each(Object.keys(CATALOGUE).filter((code) => code !== 'internal'))(
    '%s is a problem with its own data',
    async (code) => {
      const { status, body, headers } = await sendRequest(
        { ReadDocument: failWith(code, { holder: 'doc_2', serviceName: 'documents' }) },
        'GET',
        '/documents/doc_1',
      );
      expect(headers['content-type']).toBe('application/problem+json');
      expect(body).toEqual({
        type: `/problems/${code}`,
        title: CATALOGUE[code as keyof typeof CATALOGUE].title,
        status: statusOf(code as keyof typeof CATALOGUE),
        detail: 'The operation failed.',
        instance: '/api/v1/documents/doc_1',
        code,
        requestId: headers['x-request-id'],
        holder: 'doc_2',
      });
      expect(status).toBe(body.status);
    },
  );

  test('returns the most severe of several errors', async () => {
    const errors = ['validation_failed', 'workspace_reserved', 'not_found'].map((code) => ({
      message: code,
      extensions: { code },
    }));
    expect(
      (await sendRequest({ ReadDocument: () => ({ data: null, errors }) }, 'GET', '/documents/doc_1')).body.code,
    ).toBe('workspace_reserved');
  });

  test('returns 503 without the address of an unreachable subgraph', async () => {
    const errors = [
      {
        message: 'connect ECONNREFUSED 10.0.0.7:4001',
        extensions: { code: 'SUBGRAPH_UNREACHABLE', serviceName: 'jobs' },
      },
    ];
    const { status, text, headers } = await sendRequest(
      { ReadDocument: () => ({ data: null, errors }) },
      'GET',
      '/documents/doc_1',
    );
    expect([status, headers['retry-after'], /10\.0|jobs/.test(text)]).toEqual([503, '2', false]);
  });

  test('returns 500 without the message of an unexpected error, and logs it with the request id', async () => {
    const thrown = await sendRequest(
      { ReadDocument: () => Promise.reject(new Error('secret')) },
      'GET',
      '/documents/doc_1',
    );
    const unknown = await sendRequest(
      { ReadDocument: failWith('WEIRD', { secret: 'secret' }) },
      'GET',
      '/documents/doc_1',
    );
    const written = await sendRequest(
      { UpdateDocument: () => Promise.reject(new Error('secret')) },
      'PATCH',
      '/documents/doc_1',
      { name: 'x' },
    );
    expect(written.logged.find(({ level }) => level === 50)).toMatchObject({
      requestId: written.body.requestId,
      err: { message: 'secret' },
    });
    for (const { status, body, text } of [thrown, unknown, written])
      expect([status, body.code, text.includes('secret'), body.detail.includes(body.requestId)]).toEqual([
        500,
        'internal',
        false,
        true,
      ]);
    expect(thrown.logged.find(({ level }) => level === 50)).toMatchObject({
      requestId: thrown.body.requestId,
      err: { message: 'secret' },
    });
  });

  test('rejects a request without a token and names the authentication scheme', async () => {
    const { app, executed } = await restApp();
    const answers = await Promise.all(
      ['/documents', '/openapi.json', '/me', '/jobs/job_1/context'].map((path) => app.inject({ url: api + path })),
    );
    expect(answers.map(({ statusCode, headers }) => [statusCode, headers['www-authenticate']])).toEqual(
      Array(4).fill([401, 'Bearer realm="pdm"']),
    );
    expect(executed).toEqual([]);
  });

  test('returns 404 for an unknown address, and 405 with the allowed methods for a known one', async () => {
    const { app } = await restApp();
    const at = async (method: string, path: string) => {
      const { statusCode, headers, body } = await app.inject({
        method: method as 'PUT',
        url: api + path,
        headers: EDITOR,
        payload: 'x',
      });
      return [statusCode, headers.allow, JSON.parse(body).code];
    };
    expect(await at('GET', '/nothing')).toEqual([404, undefined, 'not_found']);
    const slash = await app.inject({ url: `${api}/documents/doc_1/`, headers: EDITOR });
    expect(slash.json().detail).toBe(
      'There is no route /api/v1/documents/doc_1/. Omit the trailing slash: /api/v1/documents/doc_1.',
    );
    expect(await at('GET', '/documents/a/b/c')).toEqual([404, undefined, 'not_found']);
    expect(await at('PUT', '/documents/doc_1')).toEqual([
      405,
      'GET, HEAD, PATCH, DELETE, OPTIONS',
      'method_not_allowed',
    ]);
    expect(await at('DELETE', '/health')).toEqual([405, 'GET, HEAD, OPTIONS', 'method_not_allowed']);
    const options = await app.inject({ method: 'OPTIONS', url: `${api}/documents/doc_1/archive` });
    expect([options.statusCode, options.headers.allow, options.body]).toEqual([204, 'POST, OPTIONS', '']);
  });
});

test('returns a 404 problem for an address outside of /api/v1', async () => {
  const { app } = await restApp();
  const answer = await app.inject({ url: '/documents' });
  expect([answer.statusCode, answer.headers['content-type'], answer.json().instance]).toEqual([
    404,
    'application/problem+json',
    '/documents',
  ]);
});

test('returns 404 for an address that cannot be decoded or is too long', async () => {
  const { app } = await restApp();
  for (const path of ['/documents/%E0%A4%A', `/documents/${'x'.repeat(1000)}`]) {
    const answer = await app.inject({ url: api + path, headers: { 'x-request-id': 'mine' } });
    expect([answer.statusCode, answer.json().code, answer.headers['x-request-id']]).toEqual([404, 'not_found', 'mine']);
  }
});
