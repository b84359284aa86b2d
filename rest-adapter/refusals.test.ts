import { describe, expect, test } from 'vitest';
import { statusOf } from '../http/response/status.ts';
import { CATALOGUE } from '../subgraphs/core/domain/errors.ts';
import { api, ask, refusing } from './testing/ask.ts';
import { EDITOR, restApp } from './testing/rest-app.ts';

describe('refusals', () => {
  test.each(Object.keys(CATALOGUE).filter((code) => code !== 'internal'))(
    '%s is a problem with its own data',
    async (code) => {
      const { status, body, headers } = await ask(
        { ReadDocument: refusing(code, { holder: 'doc_2', serviceName: 'documents' }) },
        'GET',
        '/documents/doc_1',
      );
      expect(headers['content-type']).toBe('application/problem+json');
      expect(body).toEqual({
        type: `/problems/${code}`,
        title: CATALOGUE[code as keyof typeof CATALOGUE].title,
        status: statusOf(code as keyof typeof CATALOGUE),
        detail: 'It is so.',
        instance: '/api/v1/documents/doc_1',
        code,
        requestId: headers['x-request-id'],
        holder: 'doc_2',
      });
      expect(status).toBe(body.status);
    },
  );

  test('of several errors the worst decides', async () => {
    const errors = ['validation_failed', 'workspace_reserved', 'not_found'].map((code) => ({
      message: code,
      extensions: { code },
    }));
    expect((await ask({ ReadDocument: () => ({ data: null, errors }) }, 'GET', '/documents/doc_1')).body.code).toBe(
      'workspace_reserved',
    );
  });

  test('a subgraph that cannot be reached is 503 without its address', async () => {
    const errors = [
      {
        message: 'connect ECONNREFUSED 10.0.0.7:4001',
        extensions: { code: 'SUBGRAPH_UNREACHABLE', serviceName: 'jobs' },
      },
    ];
    const { status, text, headers } = await ask(
      { ReadDocument: () => ({ data: null, errors }) },
      'GET',
      '/documents/doc_1',
    );
    expect([status, headers['retry-after'], /10\.0|jobs/.test(text)]).toEqual([503, '2', false]);
  });

  test('a bug is 500 without its text, and the log has it under the id of the request', async () => {
    const thrown = await ask({ ReadDocument: () => Promise.reject(new Error('secret')) }, 'GET', '/documents/doc_1');
    const unknown = await ask({ ReadDocument: refusing('WEIRD', { secret: 'secret' }) }, 'GET', '/documents/doc_1');
    const written = await ask(
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

  test('without a token nothing runs and the answer says which scheme to use', async () => {
    const { app, asked } = await restApp();
    const answers = await Promise.all(
      ['/documents', '/openapi.json', '/me', '/jobs/job_1/context'].map((path) => app.inject({ url: api + path })),
    );
    expect(answers.map(({ statusCode, headers }) => [statusCode, headers['www-authenticate']])).toEqual(
      Array(4).fill([401, 'Bearer realm="pdm"']),
    );
    expect(asked).toEqual([]);
  });

  test('an unknown address is 404, a known one with another method 405 with those it takes', async () => {
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

test('an address outside of /api/v1 at which nothing is mounted is 404, as a problem', async () => {
  const { app } = await restApp();
  const answer = await app.inject({ url: '/documents' });
  expect([answer.statusCode, answer.headers['content-type'], answer.json().instance]).toEqual([
    404,
    'application/problem+json',
    '/documents',
  ]);
});

test('an address that cannot be decoded, or with an endless part, is 404', async () => {
  const { app } = await restApp();
  for (const path of ['/documents/%E0%A4%A', `/documents/${'x'.repeat(1000)}`]) {
    const answer = await app.inject({ url: api + path, headers: { 'x-request-id': 'mine' } });
    expect([answer.statusCode, answer.json().code, answer.headers['x-request-id']]).toEqual([404, 'not_found', 'mine']);
  }
});
