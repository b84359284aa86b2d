import { describe, expect, test } from 'vitest';
import { api, ask, refusing } from './testing/ask.ts';
import { EDITOR, type Operations, restApp } from './testing/rest-app.ts';

const DOCUMENT = { id: 'doc_1', number: 'PRT-000001', name: 'Bracket' };
describe('answers', () => {
  test('a record is what stands at the data path', async () => {
    const { status, body, asked } = await ask(
      { ReadDocument: () => ({ data: { document: DOCUMENT } }) },
      'GET',
      '/documents/prt-000001',
    );
    expect([status, body, asked]).toEqual([
      200,
      DOCUMENT,
      { operation: 'ReadDocument', variables: { id: 'prt-000001' } },
    ]);
  });

  test('a creation is 201 with the address of what was created', async () => {
    const operations = { CreateDocument: () => ({ data: { createDocument: DOCUMENT } }) };
    const { status, headers, asked } = await ask(operations, 'POST', '/documents', { name: 'Bracket', kind: 'model' });
    expect([status, headers.location, asked?.variables]).toEqual([
      201,
      '/api/v1/documents/doc_1',
      { input: { name: 'Bracket', kind: 'model' } },
    ]);
  });

  test('a delete is 204 without a body', async () => {
    const { status, text, headers } = await ask(
      { DeleteDocument: () => ({ data: { deleteDocument: true } }) },
      'DELETE',
      '/documents/doc_1',
    );
    expect([status, text, headers['content-type']]).toEqual([204, '', undefined]);
  });

  test('null at the data path is 404, at any step of it', async () => {
    const missing = [
      await ask({ ReadDocument: () => ({ data: { document: null } }) }, 'GET', '/documents/doc_9'),
      await ask({ ReadDocumentAudit: () => ({ data: { document: null } }) }, 'GET', '/documents/doc_9/audit'),
      await ask({ ReadThumbnail: () => ({ data: { thumbnail: null } }) }, 'GET', '/documents/doc_9/thumbnail'),
    ];
    expect(missing.map(({ status, body }) => [status, body.code])).toEqual(Array(3).fill([404, 'not_found']));
    expect(missing.map(({ body }) => body.detail)).toEqual([
      'There is no document doc_9.',
      'There is no document doc_9.',
      'The document doc_9 has no thumbnail file (yet).',
    ]);
  });

  test('a claim answers the fields of the job beside those of the lease, and 204 when there is no job', async () => {
    const claimed = { claimJob: { job: { id: 'job_1', attempt: 1 }, leaseSeconds: 60, heartbeatSeconds: 20 } };
    const found = await ask({ ClaimJob: () => ({ data: claimed }) }, 'POST', '/jobs/claim', {
      workerId: 'w1',
      environment: ['engine:occt'],
    });
    expect([found.status, found.body]).toEqual([
      200,
      { id: 'job_1', attempt: 1, leaseSeconds: 60, heartbeatSeconds: 20 },
    ]);
    const none = await ask({ ClaimJob: () => ({ data: { claimJob: null } }) }, 'POST', '/jobs/claim', {
      workerId: 'w1',
    });
    expect([none.status, none.text]).toEqual([204, '']);
  });

  test('health needs no token and names what is down', async () => {
    const { app } = await restApp(
      {},
      {
        health: async () => ({
          status: 'unavailable',
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
    const late = {
      status: 'ok',
      parts: { checkpoints: { status: 'late', detail: 'no checkpoint sent' } },
    } as const;
    const well = await (await restApp({}, { health: async () => late })).app.inject({ url: `${api}/health` });
    expect([well.statusCode, well.json().down, well.json().parts.checkpoints.status]).toEqual([200, [], 'late']);
  });
});

describe('lists', () => {
  const page = { items: [DOCUMENT], nextCursor: 'abc', total: null };

  test('a page tells the address of the next one', async () => {
    const { body, headers } = await ask(
      { ListDocuments: () => ({ data: { documents: page } }) },
      'GET',
      '/documents?limit=1&q=a%20b&cursor=old',
    );
    expect([body, headers.link]).toEqual([
      { items: [DOCUMENT], nextCursor: 'abc' },
      '</api/v1/documents?limit=1&q=a+b&cursor=abc>; rel="next"',
    ]);
  });

  test('the last page tells none, and a total only when it was asked for', async () => {
    const operations = { ListDocuments: () => ({ data: { documents: { items: [], nextCursor: null, total: 0 } } }) };
    const { body, headers, asked } = await ask(operations, 'GET', '/documents?total=true');
    expect([body, headers.link, asked?.variables]).toEqual([
      { items: [], nextCursor: null, total: 0 },
      undefined,
      { total: true },
    ]);
  });

  test('a list without pages looks like its only page', async () => {
    const updates = { ReadReferenceUpdates: () => ({ data: { referenceUpdates: [{ path: '/a' }] } }) };
    const { body } = await ask(updates, 'GET', '/versions/ver_1/reference-updates');
    expect(body).toEqual({ items: [{ path: '/a' }], nextCursor: null });
  });

  test.each([
    ['name', { sort: 'name', descending: false }],
    ['-createdAt', { sort: 'createdAt', descending: true }],
  ])('sort=%s', async (sort, variables) => {
    const { asked } = await ask(
      { ListDocuments: () => ({ data: { documents: page } }) },
      'GET',
      `/documents?sort=${sort}`,
    );
    expect(asked?.variables).toEqual(variables);
  });
});

describe('what is given', () => {
  const update = { UpdateDocument: () => ({ data: { updateDocument: DOCUMENT } }) };

  test('a field left out stays absent, null stays null', async () => {
    expect((await ask(update, 'PATCH', '/documents/doc_1', { description: null })).asked?.variables).toEqual({
      id: 'doc_1',
      description: null,
    });
    expect((await ask(update, 'PATCH', '/documents/doc_1', { name: 'B' })).asked?.variables).toEqual({
      id: 'doc_1',
      name: 'B',
    });
  });

  test('a body can be left out where nothing in it is required', async () => {
    const operations = { CreateVersion: () => ({ data: { createVersion: { id: 'ver_1' } } }) };
    expect((await ask(operations, 'POST', '/workspaces/wsp_1/versions')).status).toBe(201);
    expect((await ask(operations, 'POST', '/workspaces/wsp_1/versions', '')).status).toBe(201);
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
    ['several faults at once', 'POST', '/documents', { name: 1, kind: 'boat' }, ['/kind', '/name']],
    ['null for what cannot be cleared', 'PATCH', '/documents/doc_1', { name: null }, ['/name']],
    ['a body that is no object', 'PATCH', '/documents/doc_1', ['name'], ['']],
    ['an operator instead of a text', 'POST', '/documents', { name: { $ne: 1 }, kind: 'model' }, ['/name']],
    ['half a character', 'PATCH', '/documents/doc_1', { name: '\ud83d' }, ['/name']],
    ['a move that does not say where to', 'POST', '/documents/move', { ids: ['doc_1'] }, ['/folderId']],
    ['a wrong item of a list', 'POST', '/documents/move', { ids: ['doc_1', 2], folderId: null }, ['/ids/1']],
    ['one item instead of a list', 'POST', '/documents/move', { ids: 'doc_1', folderId: null }, ['/ids']],
    ['an unknown parameter', 'GET', '/documents?folder=x', undefined, ['/folder']],
    ['an unknown parameter of a write', 'PATCH', '/documents/doc_1?force=true', { name: 'x' }, ['/force']],
    ['a parameter given twice', 'GET', '/documents?q=a&q=b', undefined, ['/q']],
    ['a bracket in a parameter', 'GET', '/documents?folderId[$ne]=x', undefined, ['/folderId[$ne]']],
    ['a number that is none', 'GET', '/documents?limit=ten', undefined, ['/limit']],
    ['a truth that is none', 'GET', '/documents?recursive=yes', undefined, ['/recursive']],
    ['an unknown order', 'GET', '/documents?sort=colour', undefined, ['/sort']],
  ])('%s is refused by name before anything runs', async (_what, method, path, body, faults) => {
    const answer = await ask({}, method, path, body);
    expect([answer.status, answer.body.code, answer.asked]).toEqual([400, 'validation_failed', undefined]);
    expect(answer.body.errors.map(({ path }: { path: string }) => path)).toEqual(faults);
  });

  test('an unknown parameter is answered with the known ones', async () => {
    const { body } = await ask({}, 'GET', '/jobs?state=failed');
    expect(body.errors[0].message).toContain('versionId, documentId, status, type, sort, limit, cursor, total');
  });

  test.each(['{"name":', '{"__proto__":{"x":1},"name":"x"}', '['.repeat(100_000)])(
    'hostile or broken JSON is refused: %#',
    async (body) => {
      const answer = await ask({}, 'PATCH', '/documents/doc_1', body);
      expect([answer.status, answer.body.code, ({} as { x?: number }).x]).toEqual([
        400,
        'validation_failed',
        undefined,
      ]);
    },
  );

  test('no name or value in a body reaches what every object has: refused like any other', async () => {
    for (const name of ['__defineGetter__', 'constructor', 'valueOf']) {
      const { status, body } = await ask({}, 'POST', '/jobs/job_1/fail', { error: 'broken', [name]: 1 });
      expect([name, status, body.code]).toEqual([name, 400, 'validation_failed']);
    }
    const { status, body } = await ask({}, 'POST', '/documents', {
      name: 'Bracket',
      kind: { toString: 1, valueOf: 1 },
    });
    expect([status, body.errors]).toEqual([400, [{ path: '/kind', message: expect.stringContaining('one of') }]]);
  });

  test('a JSON body over 1 MiB is 413, another type 415, a compressed one 415', async () => {
    expect((await ask({}, 'PATCH', '/documents/doc_1', { description: 'x'.repeat(1024 * 1024) })).status).toBe(413);
    expect(
      (await ask({}, 'PATCH', '/documents/doc_1', 'name=x', { 'content-type': 'application/x-www-form-urlencoded' }))
        .body.code,
    ).toBe('unsupported_media_type');
    expect((await ask({}, 'PATCH', '/documents/doc_1', {}, { 'content-encoding': 'gzip' })).status).toBe(415);
  });

  test('the attempt of a worker comes from its header or from the body, and where both name one it is the same', async () => {
    const beat = { HeartbeatJob: () => ({ data: { heartbeatJob: {} } }) };
    const variables = async (body: unknown, headers: Record<string, string>) =>
      (await ask(beat, 'POST', '/jobs/job_1/heartbeat', body, headers)).asked?.variables;
    expect(await variables({}, { 'x-job-attempt': '2' })).toEqual({ id: 'job_1', attempt: 2 });
    expect(await variables({ attempt: 3, percent: 50 }, { 'x-job-attempt': '3' })).toEqual({
      id: 'job_1',
      attempt: 3,
      percent: 50,
    });
    const differing = await ask(beat, 'POST', '/jobs/job_1/heartbeat', { attempt: 3 }, { 'x-job-attempt': '2' });
    expect([differing.status, differing.body.errors, differing.asked]).toEqual([
      400,
      [{ path: '/attempt', message: 'must be the same in the body and in X-Job-Attempt' }],
      undefined,
    ]);
    expect((await ask({}, 'POST', '/jobs/job_1/heartbeat', {}, { 'x-job-attempt': 'two' })).status).toBe(400);
  });

  test('the error of a failed job is an object or simply a text', async () => {
    const fail = { FailJob: () => ({ data: { failJob: { id: 'job_1' } } }) };
    expect((await ask(fail, 'POST', '/jobs/job_1/fail', { error: 'broken', final: true })).asked?.variables).toEqual({
      id: 'job_1',
      error: { message: 'broken' },
      final: true,
    });
    expect(
      (await ask(fail, 'POST', '/jobs/job_1/fail', { error: { code: 'x', message: 'y' } })).asked?.variables,
    ).toEqual({
      id: 'job_1',
      error: { code: 'x', message: 'y' },
    });
  });
});

describe('headers', () => {
  test('a request id that is one comes back and is in every log line; any other is replaced', async () => {
    const operations = { ReadDocument: () => ({ data: { document: DOCUMENT } }) };
    const kept = await ask(operations, 'GET', '/documents/doc_1', undefined, { 'x-request-id': 'my.id-1' });
    expect([kept.headers['x-request-id'], kept.logged.every(({ requestId }) => requestId === 'my.id-1')]).toEqual([
      'my.id-1',
      true,
    ]);
    for (const given of ['', 'a b', 'x'.repeat(101), '<script>']) {
      const { headers } = await ask(operations, 'GET', '/documents/doc_1', undefined, { 'x-request-id': given });
      expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  test('a write is a line of the log; a claim that found nothing and a heartbeat are none, unless they are refused', async () => {
    const claim = (claimJob: unknown) => ({ ClaimJob: () => ({ data: { claimJob } }) });
    const beat = { HeartbeatJob: () => ({ data: { heartbeatJob: { cancelRequested: false } } }) };
    const INFO = 30;
    // over a connection: only there it is known that the client has its answer
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
    expect(await levelOf(beat, '/jobs/job_1/heartbeat', {})).toBeLessThan(INFO);
    expect(await levelOf({ HeartbeatJob: refusing('lease_lost') }, '/jobs/job_1/heartbeat', {})).toBe(INFO);
  });

  test('the ETag of a read is that of its bytes, and 304 answers who has them', async () => {
    const operations = { ReadDocument: () => ({ data: { document: DOCUMENT } }) };
    const first = await ask(operations, 'GET', '/documents/doc_1');
    expect(first.headers.etag).toMatch(/^"[\w-]{32}"$/);
    for (const tag of [first.headers.etag, `W/${first.headers.etag}`, `"other", ${first.headers.etag}`, '*']) {
      const again = await ask(operations, 'GET', '/documents/doc_1', undefined, { 'if-none-match': String(tag) });
      expect([again.status, again.text, again.headers.etag]).toEqual([304, '', first.headers.etag]);
    }
    const other = await ask(
      { ReadDocument: () => ({ data: { document: { ...DOCUMENT, name: 'B' } } }) },
      'GET',
      '/documents/doc_1',
    );
    expect(other.headers.etag).not.toBe(first.headers.etag);
  });

  test('HEAD answers the headers of GET alone', async () => {
    const { status, text, headers } = await ask(
      { ReadDocument: () => ({ data: { document: DOCUMENT } }) },
      'HEAD',
      '/documents/doc_1',
    );
    expect([status, text, headers['content-length']]).toEqual([200, '', String(JSON.stringify(DOCUMENT).length)]);
  });

  test('nothing is sniffed', async () => {
    expect((await ask({}, 'GET', '/nothing')).headers['x-content-type-options']).toBe('nosniff');
  });
});
