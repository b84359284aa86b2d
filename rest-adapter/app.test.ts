import { describe, expect, test } from 'vitest';
import { createAdmission } from '../http/admission/admission.ts';
import { EDITOR, type Operations, restApp } from './testing/rest-app.ts';
import { api, failWith, sendRequest } from './testing/send-request.ts';

const DOCUMENT = { id: 'doc_1', number: 'PRT-000001', name: 'Bracket' };
describe('responses', () => {
  test('returns the record at the data path', async () => {
    const { status, body, executed } = await sendRequest(
      { ReadDocument: () => ({ data: { document: DOCUMENT } }) },
      'GET',
      '/documents/prt-000001',
    );
    expect([status, body, executed]).toEqual([
      200,
      DOCUMENT,
      { operation: 'ReadDocument', variables: { id: 'prt-000001' } },
    ]);
  });

  test('returns 201 and the address of a created record', async () => {
    const operations = { CreateDocument: () => ({ data: { createDocument: DOCUMENT } }) };
    const { status, headers, executed } = await sendRequest(operations, 'POST', '/documents', {
      name: 'Bracket',
      kind: 'model',
    });
    expect([status, headers.location, executed?.variables]).toEqual([
      201,
      '/api/v1/documents/doc_1',
      { input: { name: 'Bracket', kind: 'model' } },
    ]);
  });

  test('returns 204 without a body for a deletion', async () => {
    const { status, text, headers } = await sendRequest(
      { DeleteDocument: () => ({ data: { deleteDocument: true } }) },
      'DELETE',
      '/documents/doc_1',
    );
    expect([status, text, headers['content-type']]).toEqual([204, '', undefined]);
  });

  test('returns 404 when any step of the data path is null', async () => {
    const missing = [
      await sendRequest({ ReadDocument: () => ({ data: { document: null } }) }, 'GET', '/documents/doc_9'),
      await sendRequest({ ReadDocumentAudit: () => ({ data: { document: null } }) }, 'GET', '/documents/doc_9/audit'),
      await sendRequest({ ReadThumbnail: () => ({ data: { thumbnail: null } }) }, 'GET', '/documents/doc_9/thumbnail'),
    ];
    expect(missing.map(({ status, body }) => [status, body.code])).toEqual(Array(3).fill([404, 'not_found']));
    expect(missing.map(({ body }) => body.detail)).toEqual([
      'There is no document doc_9.',
      'There is no document doc_9.',
      'The document doc_9 has no thumbnail file (yet).',
    ]);
  });

  test('returns the fields of a claimed job beside those of its lease, and 204 when no job is available', async () => {
    const claimed = { claimJob: { job: { id: 'job_1', attempt: 1 }, leaseSeconds: 60, heartbeatSeconds: 20 } };
    const found = await sendRequest({ ClaimJob: () => ({ data: claimed }) }, 'POST', '/jobs/claim', {
      workerId: 'w1',
      environment: ['engine:occt'],
    });
    expect([found.status, found.body]).toEqual([
      200,
      { id: 'job_1', attempt: 1, leaseSeconds: 60, heartbeatSeconds: 20 },
    ]);
    const none = await sendRequest({ ClaimJob: () => ({ data: { claimJob: null } }) }, 'POST', '/jobs/claim', {
      workerId: 'w1',
    });
    expect([none.status, none.text]).toEqual([204, '']);
  });

  test('returns the health without a token and names the component that is down', async () => {
    const { app } = await restApp(
      {},
      {
        health: async () => ({
          parts: { database: { status: 'unavailable' }, fileStore: { status: 'ok' } },
        }),
      },
    );
    const answer = await app.inject({ url: `${api}/health` });
    expect([answer.statusCode, answer.json().down, answer.json().parts.api.status]).toEqual([503, ['database'], 'ok']);
    expect([answer.headers.etag, answer.headers['cache-control']]).toEqual([undefined, 'no-store']);
    expect((await (await restApp()).app.inject({ url: `${api}/health` })).json()).toMatchObject({
      status: 'ok',
      version: '1.2.3',
      down: [],
    });
  });

  test.each([
    ['jobs', 'late'],
    ['checkpoints', 'late'],
    ['storage', 'full'],
  ] as const)('is degraded, but not 503, while the part %s is %s', async (part, status) => {
    const parts = { database: { status: 'ok' }, [part]: { status, detail: 'why' } } as const;
    const { app } = await restApp({}, { health: async () => ({ parts }) });
    const answer = await app.inject({ url: `${api}/health` });
    expect([answer.statusCode, answer.json()]).toMatchObject([200, { status: 'degraded', down: [], parts }]);
  });
});

describe('lists', () => {
  const page = { items: [DOCUMENT], nextCursor: 'abc', total: null };

  test('returns the address of the next page', async () => {
    const { body, headers } = await sendRequest(
      { ListDocuments: () => ({ data: { documents: page } }) },
      'GET',
      '/documents?limit=1&q=a%20b&cursor=old',
    );
    expect([body, headers.link]).toEqual([
      { items: [DOCUMENT], nextCursor: 'abc' },
      '</api/v1/documents?limit=1&q=a+b&cursor=abc>; rel="next"',
    ]);
  });

  test('omits the next address on the last page, and the total unless it was requested', async () => {
    const operations = { ListDocuments: () => ({ data: { documents: { items: [], nextCursor: null, total: 0 } } }) };
    const { body, headers, executed } = await sendRequest(operations, 'GET', '/documents?total=true');
    expect([body, headers.link, executed?.variables]).toEqual([
      { items: [], nextCursor: null, total: 0 },
      undefined,
      { total: true },
    ]);
  });

  test('returns a list without pagination as its only page', async () => {
    const updates = { ReadReferenceUpdates: () => ({ data: { referenceUpdates: [{ path: '/a' }] } }) };
    const { body } = await sendRequest(updates, 'GET', '/versions/ver_1/reference-updates');
    expect(body).toEqual({ items: [{ path: '/a' }], nextCursor: null });
  });

  test.each([
    ['name', { sort: 'name', descending: false }],
    ['-createdAt', { sort: 'createdAt', descending: true }],
  ])('sorts by %s', async (sort, variables) => {
    const { executed } = await sendRequest(
      { ListDocuments: () => ({ data: { documents: page } }) },
      'GET',
      `/documents?sort=${sort}`,
    );
    expect(executed?.variables).toEqual(variables);
  });
});

describe('input', () => {
  const update = { UpdateDocument: () => ({ data: { updateDocument: DOCUMENT } }) };

  test('keeps an omitted field absent and null as null', async () => {
    expect((await sendRequest(update, 'PATCH', '/documents/doc_1', { description: null })).executed?.variables).toEqual(
      {
        id: 'doc_1',
        description: null,
      },
    );
    expect((await sendRequest(update, 'PATCH', '/documents/doc_1', { name: 'B' })).executed?.variables).toEqual({
      id: 'doc_1',
      name: 'B',
    });
  });

  test('accepts a missing body when no field is required', async () => {
    const operations = { CreateVersion: () => ({ data: { createVersion: { id: 'ver_1' } } }) };
    expect((await sendRequest(operations, 'POST', '/workspaces/wsp_1/versions')).status).toBe(201);
    expect((await sendRequest(operations, 'POST', '/workspaces/wsp_1/versions', '')).status).toBe(201);
  });

  test.each<[string, 'POST' | 'PATCH' | 'GET', string, unknown, string[]]>([
    ['an unknown field', 'PATCH', '/documents/doc_1', { nam: 'x' }, ['/nam']],
    [
      'an unknown field of a whole body',
      'POST',
      '/documents',
      { name: 'x', kind: 'model', colour: 'red' },
      ['/colour'],
    ],
    ['a missing field', 'POST', '/documents', { kind: 'model' }, ['/name']],
    ['no body where one is needed', 'POST', '/documents', undefined, ['/kind', '/name']],
    ['several errors at once', 'POST', '/documents', { name: 1, kind: 'boat' }, ['/kind', '/name']],
    ['null for what cannot be cleared', 'PATCH', '/documents/doc_1', { name: null }, ['/name']],
    ['a body that is no object', 'PATCH', '/documents/doc_1', ['name'], ['']],
    ['an operator instead of a text', 'POST', '/documents', { name: { $ne: 1 }, kind: 'model' }, ['/name']],
    ['half a character', 'PATCH', '/documents/doc_1', { name: '\ud83d' }, ['/name']],
    ['a move that does not say where to', 'POST', '/documents/move', { ids: ['doc_1'] }, ['/folderId']],
    ['a wrong item of a list', 'POST', '/documents/move', { ids: ['doc_1', 2], folderId: null }, ['/ids/1']],
    ['one item instead of a list', 'POST', '/documents/move', { ids: 'doc_1', folderId: null }, ['/ids']],
    ['an unknown parameter', 'GET', '/documents?folder=x', undefined, ['/folder']],
    ['an unknown parameter of a write', 'PATCH', '/documents/doc_1?force=true', { name: 'x' }, ['/force']],
    ['a repeated parameter', 'GET', '/documents?q=a&q=b', undefined, ['/q']],
    ['a bracket in a parameter', 'GET', '/documents?folderId[$ne]=x', undefined, ['/folderId[$ne]']],
    ['a number that is none', 'GET', '/documents?limit=ten', undefined, ['/limit']],
    ['a truth that is none', 'GET', '/documents?recursive=yes', undefined, ['/recursive']],
    ['an unknown order', 'GET', '/documents?sort=colour', undefined, ['/sort']],
  ])('rejects %s with its path before the operation runs', async (_what, method, path, body, errors) => {
    const answer = await sendRequest({}, method, path, body);
    expect([answer.status, answer.body.code, answer.executed]).toEqual([400, 'validation_failed', undefined]);
    expect(answer.body.errors.map(({ path }: { path: string }) => path)).toEqual(errors);
  });

  test('lists the known parameters when it rejects an unknown one', async () => {
    const { body } = await sendRequest({}, 'GET', '/jobs?state=failed');
    expect(body.errors[0].message).toContain('versionId, documentId, status, type, sort, limit, cursor, total');
  });

  test.each(['{"name":', '{"__proto__":{"x":1},"name":"x"}', '['.repeat(100_000)])(
    'rejects hostile or malformed JSON: %#',
    async (body) => {
      const answer = await sendRequest({}, 'PATCH', '/documents/doc_1', body);
      expect([answer.status, answer.body.code, ({} as { x?: number }).x]).toEqual([
        400,
        'validation_failed',
        undefined,
      ]);
    },
  );

  test('rejects names and values in a body that match members of Object.prototype', async () => {
    for (const name of ['__defineGetter__', 'constructor', 'valueOf']) {
      const { status, body } = await sendRequest({}, 'POST', '/jobs/job_1/fail', { error: 'broken', [name]: 1 });
      expect([name, status, body.code]).toEqual([name, 400, 'validation_failed']);
    }
    const { status, body } = await sendRequest({}, 'POST', '/documents', {
      name: 'Bracket',
      kind: { toString: 1, valueOf: 1 },
    });
    expect([status, body.errors]).toEqual([400, [{ path: '/kind', message: expect.stringContaining('one of') }]]);
  });

  test('rejects a JSON body over 1 MiB with 413, and another or compressed content type with 415', async () => {
    expect((await sendRequest({}, 'PATCH', '/documents/doc_1', { description: 'x'.repeat(1024 * 1024) })).status).toBe(
      413,
    );
    expect(
      (
        await sendRequest({}, 'PATCH', '/documents/doc_1', 'name=x', {
          'content-type': 'application/x-www-form-urlencoded',
        })
      ).body.code,
    ).toBe('unsupported_media_type');
    expect((await sendRequest({}, 'PATCH', '/documents/doc_1', {}, { 'content-encoding': 'gzip' })).status).toBe(415);
  });

  test('reads the attempt of a worker from the header or the body and rejects a mismatch', async () => {
    const heartbeat = { HeartbeatJob: () => ({ data: { heartbeatJob: {} } }) };
    const variables = async (body: unknown, headers: Record<string, string>) =>
      (await sendRequest(heartbeat, 'POST', '/jobs/job_1/heartbeat', body, headers)).executed?.variables;
    expect(await variables({}, { 'x-job-attempt': '2' })).toEqual({ id: 'job_1', attempt: 2 });
    expect(await variables({ attempt: 3, percent: 50 }, { 'x-job-attempt': '3' })).toEqual({
      id: 'job_1',
      attempt: 3,
      percent: 50,
    });
    const differing = await sendRequest(
      heartbeat,
      'POST',
      '/jobs/job_1/heartbeat',
      { attempt: 3 },
      { 'x-job-attempt': '2' },
    );
    expect([differing.status, differing.body.errors, differing.executed]).toEqual([
      400,
      [{ path: '/attempt', message: 'must be the same in the body and in X-Job-Attempt' }],
      undefined,
    ]);
    expect((await sendRequest({}, 'POST', '/jobs/job_1/heartbeat', {}, { 'x-job-attempt': 'two' })).status).toBe(400);
  });

  test('accepts the error of a failed job as an object or a string', async () => {
    const fail = { FailJob: () => ({ data: { failJob: { id: 'job_1' } } }) };
    expect(
      (await sendRequest(fail, 'POST', '/jobs/job_1/fail', { error: 'broken', final: true })).executed?.variables,
    ).toEqual({
      id: 'job_1',
      error: { message: 'broken' },
      final: true,
    });
    expect(
      (await sendRequest(fail, 'POST', '/jobs/job_1/fail', { error: { code: 'x', message: 'y' } })).executed?.variables,
    ).toEqual({
      id: 'job_1',
      error: { code: 'x', message: 'y' },
    });
  });
});

describe('headers', () => {
  test('returns a valid request id and logs it on every line, and replaces an invalid one', async () => {
    const operations = { ReadDocument: () => ({ data: { document: DOCUMENT } }) };
    const response = await sendRequest(operations, 'GET', '/documents/doc_1', undefined, { 'x-request-id': 'my.id-1' });
    expect([
      response.headers['x-request-id'],
      response.logged.every(({ requestId }) => requestId === 'my.id-1'),
    ]).toEqual(['my.id-1', true]);
    for (const id of ['', 'a b', 'x'.repeat(101), '<script>']) {
      const { headers } = await sendRequest(operations, 'GET', '/documents/doc_1', undefined, { 'x-request-id': id });
      expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  test('logs each write, and logs empty claims and heartbeats only when they are rejected', async () => {
    const claim = (claimJob: unknown) => ({ ClaimJob: () => ({ data: { claimJob } }) });
    const heartbeat = { HeartbeatJob: () => ({ data: { heartbeatJob: { cancelRequested: false } } }) };
    const INFO = 30;
    // over a connection, because only a socket shows that the client has received the response
    const levelOf = async (operations: Operations, path: string, body: object) => {
      const { app, logged } = await restApp(operations);
      const url = await app.listen({ host: '127.0.0.1', port: 0 });
      const headers = { ...EDITOR, 'content-type': 'application/json', connection: 'close' };
      await (await fetch(url + api + path, { method: 'POST', headers, body: JSON.stringify(body) })).text();
      await app.close();
      return logged.find(({ msg }) => msg === 'request')?.level;
    };
    expect(await levelOf(claim({ job: { id: 'job_1' } }), '/jobs/claim', { workerId: 'w' })).toBe(INFO);
    expect(await levelOf(claim(null), '/jobs/claim', { workerId: 'w' })).toBeLessThan(INFO);
    expect(await levelOf(heartbeat, '/jobs/job_1/heartbeat', {})).toBeLessThan(INFO);
    expect(await levelOf({ HeartbeatJob: failWith('lease_lost') }, '/jobs/job_1/heartbeat', {})).toBe(INFO);
  });

  test('returns an ETag of the bytes of a response, and 304 when the client has them', async () => {
    const operations = { ReadDocument: () => ({ data: { document: DOCUMENT } }) };
    const first = await sendRequest(operations, 'GET', '/documents/doc_1');
    expect(first.headers.etag).toMatch(/^"[\w-]{32}"$/);
    for (const tag of [first.headers.etag, `W/${first.headers.etag}`, `"other", ${first.headers.etag}`, '*']) {
      const again = await sendRequest(operations, 'GET', '/documents/doc_1', undefined, {
        'if-none-match': String(tag),
      });
      expect([again.status, again.text, again.headers.etag]).toEqual([304, '', first.headers.etag]);
    }
    const other = await sendRequest(
      { ReadDocument: () => ({ data: { document: { ...DOCUMENT, name: 'B' } } }) },
      'GET',
      '/documents/doc_1',
    );
    expect(other.headers.etag).not.toBe(first.headers.etag);
  });

  test('returns the headers of GET for HEAD', async () => {
    const { status, text, headers } = await sendRequest(
      { ReadDocument: () => ({ data: { document: DOCUMENT } }) },
      'HEAD',
      '/documents/doc_1',
    );
    expect([status, text, headers['content-length']]).toEqual([200, '', String(JSON.stringify(DOCUMENT).length)]);
  });

  test('forbids content sniffing', async () => {
    expect((await sendRequest({}, 'GET', '/nothing')).headers['x-content-type-options']).toBe('nosniff');
  });
});

test('rejects a request that would wait too long with 503, without running it, and runs it later', async () => {
  const admission = createAdmission({
    slots: 2,
    maxWaitMs: 1,
    maxInProgress: { request: 256, upload: 4, stream: 8 },
  });
  const running = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<void>();
  const operations: Operations = {
    ReadDocument: async () => {
      running.resolve();
      await finish.promise;
      return { data: { document: DOCUMENT } };
    },
    CreateFolder: () => ({ data: { createFolder: { id: 'fld_1' } } }),
  };
  const { app, executed } = await restApp(operations, { admission });
  const read = () => app.inject({ url: '/api/v1/documents/doc_1', headers: EDITOR });
  const first = read();
  await running.promise;
  const rejected = await read();
  expect([rejected.statusCode, rejected.headers['retry-after'], rejected.json()]).toEqual([
    503,
    '1',
    expect.objectContaining({ code: 'overloaded', retryAfter: 1 }),
  ]);
  expect((await app.inject({ url: '/api/v1/health' })).statusCode).toBe(200);
  const write = { method: 'POST', url: '/api/v1/folders', headers: EDITOR, payload: { name: 'A' } } as const;
  expect((await app.inject(write)).statusCode).toBe(201);
  expect(executed.map(({ operation }) => operation)).toEqual(['ReadDocument', 'CreateFolder']);
  finish.resolve();
  expect([(await first).statusCode, (await read()).statusCode]).toEqual([200, 200]);
});
