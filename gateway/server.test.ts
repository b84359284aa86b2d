import { createHash } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { getIntrospectionQuery } from 'graphql';
import { describe, expect, it } from 'vitest';
import { type Admission, callerOf, createAdmission } from '../http/admission/admission.ts';
import { AUTHORIZED, mountSample } from './testing/mount-sample.ts';
import { VIEWER } from './testing/sample.ts';

describe('/graphql', () => {
  it('runs operations as the user of the token, with the id of the request', async () => {
    const { ask } = await mountSample();
    expect(await ask('query ($id: ID!) { who version(id: $id) { document { name } } }', { id: 'v1' })).toEqual({
      status: 200,
      data: { who: 'Vera (viewer) req-9', version: { document: { name: 'Bracket d1' } } },
      extensions: { cost: { found: 4, allowed: 20_000 } },
    });
  });

  it('returns 401 without a token before it reads the body', async () => {
    const { app, recording } = await mountSample();
    const response = await app.inject({
      method: 'POST',
      url: '/graphql',
      headers: { 'content-type': 'application/json' },
      payload: '{ broken',
    });
    expect(response.statusCode).toBe(401);
    expect(response.headers['www-authenticate']).toBe('Bearer');
    expect(response.json()).toEqual({
      errors: [{ message: 'The token is unknown.', extensions: { code: 'unauthenticated' } }],
    });
    expect((await app.inject({ url: '/graphql?query={who}' })).statusCode).toBe(401);
    expect(recording.contexts).toEqual([]);
  });

  it('returns catalogued errors with status 200 and their data, and hides unexpected ones', async () => {
    const { ask, lines } = await mountSample();
    const create = (name: string) =>
      ask('mutation ($input: NewDocument!) { createDocument(input: $input) { id } }', {
        input: { name, kind: 'MODEL' },
      });
    expect(await create('taken')).toMatchObject({
      status: 200,
      errors: [{ extensions: { code: 'number_taken', holder: 'd1' } }],
    });
    const { errors } = await create('bug');
    expect(errors).toEqual([
      {
        message: 'An unexpected error occurred. The service log contains it under request id req-9.',
        locations: undefined,
        path: ['createDocument'],
        extensions: { code: 'internal' },
      },
    ]);
    expect(lines.join()).toContain('internal detail');
  });

  it('suggests no field names in errors', async () => {
    const { ask } = await mountSample();
    const { status, errors } = await ask('{ documnt(id: "d1") { name } }');
    expect(status).toBe(400);
    expect(errors[0].extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
    expect(JSON.stringify(errors)).not.toMatch(/Did you mean|stack/);
  });

  it('runs the guard before validation, also on persisted queries', async () => {
    const { app, ask } = await mountSample();
    const query = `{ ${'x '.repeat(30)} }`;
    expect(await ask(query)).toMatchObject({
      status: 400,
      errors: [
        {
          message: 'The query has 30 root fields; the maximum is 20.',
          extensions: { code: 'validation_failed', limit: 'rootFields', allowed: 20, found: 30 },
        },
      ],
    });
    const persisted = '{ documents(limit: 5) { name } }';
    const sha256Hash = createHash('sha256').update(persisted).digest('hex');
    const send = (payload: object) => app.inject({ method: 'POST', url: '/graphql', headers: AUTHORIZED, payload });
    const extensions = { persistedQuery: { version: 1, sha256Hash } };
    expect((await send({ extensions })).json().errors[0].extensions.code).toBe('PERSISTED_QUERY_NOT_FOUND');
    expect((await send({ query: persisted, extensions })).json().data.documents).toHaveLength(5);
    expect((await send({ extensions })).json().data.documents).toHaveLength(5);
    const paged = 'query ($n: Int) { documents(limit: $n) { versions { bom { version { document { name } } } } } }';
    expect(await ask(paged, { n: 1 })).toMatchObject({ status: 200 });
    expect(await ask(paged, { n: 200 })).toMatchObject({
      status: 400,
      errors: [{ extensions: { limit: 'cost' } }],
      extensions: { cost: { allowed: 20_000 } },
    });
  });

  it('counts a mutation as a write, also when it is sent as a persisted query', async () => {
    const access: string[] = [];
    const admission: Admission = {
      acquire: () => () => undefined,
      enter: async () => undefined,
      run: (kind, _caller, _response, work) => {
        access.push(kind);
        return work(() => undefined);
      },
    };
    const { app } = await mountSample({ admission });
    const query = 'mutation { createDocument(input: { name: "P", kind: MODEL }) { name } }';
    const extensions = { persistedQuery: { version: 1, sha256Hash: createHash('sha256').update(query).digest('hex') } };
    for (const payload of [{ extensions }, { query, extensions }, { extensions }, { query: '{ who }' }])
      await app.inject({ method: 'POST', url: '/graphql', headers: AUTHORIZED, payload });
    expect(access).toEqual(['read', 'write', 'write', 'read']);
  });

  it('supports introspection of OneOf inputs, with other fields and fragments', async () => {
    const { ask } = await mountSample();
    expect((await ask(getIntrospectionQuery({ oneOf: true }))).data.__schema.types[0].isOneOf).toBeNull();
    const { data } = await ask(
      'query ($type: String!) { ...Root type: __type(name: $type) { ...Type } } fragment Root on Query { who __typename } fragment Type on __Type { isOneOf }',
      { type: 'NewDocument' },
    );
    expect(JSON.stringify(data)).toBe('{"who":"Vera (viewer) req-9","__typename":"Query","type":{"isOneOf":false}}');
  });

  it('supports introspection only if it is enabled', async () => {
    expect((await (await mountSample()).ask(getIntrospectionQuery())).data.__schema.types.length).toBeGreaterThan(5);
    const closed = await (await mountSample({ introspection: false })).ask('{ __schema { types { name } } }');
    expect(closed).toMatchObject({ status: 400, errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }] });
  });

  it('rejects a request that would wait too long with 503 and Retry-After', async () => {
    const maxInProgress = { request: 256, upload: 4, stream: 8 };
    const admission = createAdmission({ slots: 2, maxWaitMs: 1, maxInProgress });
    const { app } = await mountSample({ admission });
    const ask = () =>
      app.inject({ method: 'POST', url: '/graphql', headers: AUTHORIZED, payload: { query: '{ who }' } });
    const finish = Promise.withResolvers<void>();
    const other = admission.run(
      'read',
      callerOf(VIEWER, ''),
      new EventEmitter() as ServerResponse,
      () => finish.promise,
    );
    const rejected = await ask();
    expect([rejected.statusCode, rejected.headers['retry-after']]).toEqual([503, '1']);
    expect(rejected.json().errors[0].extensions).toMatchObject({ code: 'overloaded', retryAfter: 1 });
    finish.resolve();
    await other;
    expect((await ask()).statusCode).toBe(200);
  });

  it('rejects requests without CORS preflight', async () => {
    const { app } = await mountSample({ authenticate: async () => VIEWER });
    expect((await app.inject({ url: '/graphql?query={who}' })).statusCode).toBe(400);
  });

  it('rejects mutations by GET, and batches', async () => {
    const { app } = await mountSample();
    const request = { authorization: 'Bearer valid' };
    expect((await app.inject({ url: '/graphql?query={who}', headers: request })).json()).toMatchObject({
      data: { who: 'Vera (viewer) req-9' },
    });
    const mutation = encodeURIComponent('mutation { takeOver(workspaceId: "w", versionId: "v") { n } }');
    expect((await app.inject({ url: `/graphql?query=${mutation}`, headers: request })).statusCode).toBe(405);
    const batch = await app.inject({
      method: 'POST',
      url: '/graphql',
      headers: AUTHORIZED,
      payload: [{ query: '{ who }' }, { query: '{ who }' }],
    });
    expect(batch.statusCode).toBe(400);
  });

  it('responds to HEAD like GET, without a body', async () => {
    const { app } = await mountSample();
    const headers = { authorization: 'Bearer valid', 'apollo-require-preflight': '1' };
    for (const [query, status] of [
      ['{who}', 200],
      ['{', 400],
      ['mutation{x}', 400],
    ] as const) {
      const request = { url: `/graphql?query=${encodeURIComponent(query)}`, headers };
      const [get, head] = [await app.inject(request), await app.inject({ ...request, method: 'HEAD' })];
      expect([get.statusCode, head.statusCode, head.body]).toEqual([status, status, '']);
      expect({ ...head.headers, date: '' }).toEqual({ ...get.headers, date: '' });
    }
    const page = { url: '/graphql', headers: { accept: 'text/html' } };
    const [get, head] = [await app.inject(page), await app.inject({ ...page, method: 'HEAD' })];
    expect([head.statusCode, head.body, head.headers['content-length']]).toEqual([
      200,
      '',
      get.headers['content-length'],
    ]);
    expect((await app.inject({ method: 'HEAD', url: '/graphql?query={who}' })).statusCode).toBe(401);
  });

  it('rejects two idempotency keys', async () => {
    const { app } = await mountSample();
    const headers = { ...AUTHORIZED, 'idempotency-key': ['1', '2'] };
    const response = await app.inject({ method: 'POST', url: '/graphql', headers, payload: { query: '{ who }' } });
    const errors = [{ path: '/Idempotency-Key', message: 'must not be repeated' }];
    expect([response.statusCode, response.json().errors[0].extensions]).toEqual([
      400,
      { code: 'validation_failed', errors },
    ]);
  });

  it('rejects bodies that are not JSON, too large or of another type', async () => {
    const { app } = await mountSample();
    const send = async (type: string, payload: string) => {
      const response = await app.inject({
        method: 'POST',
        url: '/graphql',
        headers: { ...AUTHORIZED, 'content-type': type },
        payload,
      });
      return [response.statusCode, response.json().errors[0].extensions.code];
    };
    expect(await send('application/json', '{ broken')).toEqual([400, 'validation_failed']);
    expect(await send('application/json', JSON.stringify({ query: ' '.repeat(1 << 21) }))).toEqual([
      413,
      'file_too_large',
    ]);
    expect(await send('application/xml', '<a/>')).toEqual([415, 'unsupported_media_type']);
  });

  it('validates JSON bodies like REST', async () => {
    const { app } = await mountSample();
    const send = async (payload: string | Buffer, more: Record<string, string> = {}) => {
      const response = await app.inject({
        method: 'POST',
        url: '/graphql',
        headers: { ...AUTHORIZED, ...more },
        payload,
      });
      return [response.statusCode, response.json().errors?.[0].extensions ?? response.json().data];
    };
    const invalid = (path: string, message: string) => [
      400,
      { code: 'validation_failed', errors: [{ path, message }] },
    ];
    const shiftJis = Buffer.concat([
      Buffer.from('{"query":"{ who }","variables":{"name":"'),
      Buffer.from([0x95, 0x94]),
      Buffer.from('"}}'),
    ]);
    expect(await send(shiftJis)).toEqual(invalid('', 'must be UTF-8'));
    expect(await send('{"query":"{ who }","variables":{"a":1,"a":2}}')).toEqual(
      invalid('/variables/a', 'is a duplicate key'),
    );
    expect(await send('{"query":"{ who }","variables":{"__proto__":{}}}')).toEqual(
      invalid('', 'must not contain the key __proto__'),
    );
    expect(await send('{"query":"{ who }"}', { 'content-encoding': 'gzip' })).toEqual([
      415,
      { code: 'unsupported_media_type' },
    ]);
    expect(await send(JSON.stringify({ query: ' '.repeat(1 << 20) }))).toEqual([
      413,
      { code: 'file_too_large', maxBytes: 1 << 20 },
    ]);
    expect(await send('\ufeff{"query":"{ who }"}')).toEqual([200, { who: 'Vera (viewer) req-9' }]);
  });

  it('rejects If-None-Match with a write and If-Match with a read', async () => {
    const { app, ask } = await mountSample();
    const send = async (query: string, headers: Record<string, string>) => {
      const response = await app.inject({
        method: 'POST',
        url: '/graphql',
        headers: { ...AUTHORIZED, ...headers },
        payload: { query },
      });
      return [response.statusCode, response.json().errors?.[0].extensions.code];
    };
    const write = 'mutation { createDocument(input: { name: "a", kind: MODEL }) { id } }';
    for (const query of [write, '{ who }']) await ask(query); // cached from now on
    expect(await send(write, { 'if-none-match': '*' })).toEqual([400, 'validation_failed']);
    expect(await send('{ who }', { 'if-match': '"a"' })).toEqual([400, 'validation_failed']);
    expect(await send('{ who }', { 'if-none-match': '"a"' })).toEqual([200, undefined]);
  });
});

describe.each(['compiled', 'apollo'] as const)('the executor %s behind /graphql', (executor) => {
  it.each([
    ['data', '{ version(id: "v1") { n document { name } } who }', {}],
    ['null', '{ document(id: "none") { name } }', {}],
    ['a missing variable', 'query ($id: ID!) { document(id: $id) { name } }', {}],
    ['an invalid variable', 'query ($id: ID!) { document(id: $id) { name } }', { id: {} }],
    ['an error with data', 'mutation { createDocument(input: { name: "taken", kind: MODEL }) { id } }', {}],
    ['an unexpected error', 'mutation { createDocument(input: { name: "bug", kind: MODEL }) { id } }', {}],
    ['a hidden enum value', 'mutation { createDocument(input: { name: "x", kind: SECRET }) { id } }', {}],
    ['a reserved response name', '{ __proto__: version(id: "v1") { n } }', {}],
    ['introspection', '{ __type(name: "Folder") { name } who }', {}],
    ['an invalid query', '{ documnt }', {}],
  ])('returns %s, the same at every request', async (_what, query, variables) => {
    const { ask } = await mountSample({ executor });
    const expected = await (await mountSample()).ask(query, variables);
    expect(await ask(query, variables)).toEqual(expected);
    expect(await ask(query, variables)).toEqual(expected);
  });
});

describe('the explorer', () => {
  it('serves the explorer as a public, compressed page without external resources', async () => {
    const { app } = await mountSample();
    const page = await app.inject({
      url: '/graphql',
      headers: { accept: 'text/html,*/*', 'accept-encoding': 'gzip, br' },
    });
    expect([page.statusCode, page.headers['content-encoding'], page.headers['content-type']]).toEqual([
      200,
      'br',
      'text/html; charset=utf-8',
    ]);
    expect(page.rawPayload.length).toBeLessThan(3 << 20);
    const plain = await app.inject({ url: '/graphql', headers: { accept: 'text/html' } });
    expect(plain.body).not.toMatch(/<(script|link|img)[^>]+(src|href)="https?:/);
    expect(plain.headers['content-security-policy']).toContain("connect-src 'self'");
    expect(plain.headers['content-security-policy']).toMatch(/script-src( 'sha256-[^']+'){2};/); // only the two scripts of the page
  });

  it('uses the session of the start page, stores no token, and opens the example operations', async () => {
    const { app } = await mountSample();
    const { body } = await app.inject({ url: '/graphql', headers: { accept: 'text/html' } });
    expect(body).toMatch(/headers\.set\('x-pdm-csrf', '1'\)[\s\S]*YogaGraphiQL\.renderYogaGraphiQL\(/);
    const options = JSON.parse(
      /renderYogaGraphiQL\(\s*window\.document\.querySelector\('#root'\),\s*(\{.*\}),\n/.exec(body)?.[1] ?? '',
    );
    expect(options).toMatchObject({ endpoint: '/graphql', shouldPersistHeaders: false });
    expect(options.defaultTabs.map(({ query }: { query: string }) => /query (\w+)/.exec(query)?.[1])).toEqual([
      'NewestDocuments',
      'BillOfMaterials',
      'Jobs',
      'References',
      'VersionGraph',
      'WhereUsed',
    ]);
    expect(options.defaultTabs[1].variables).toBe('{\n  "version": ""\n}');
  });
});
