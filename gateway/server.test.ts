import { createHash } from 'node:crypto';
import { getIntrospectionQuery } from 'graphql';
import { describe, expect, it } from 'vitest';
import { AUTHORIZED, mounted } from './testing/mounted-graphql.ts';

describe('/graphql', () => {
  it('answers who has a token, as that person, under the id of the request', async () => {
    const { ask } = await mounted();
    expect(await ask('query ($id: ID!) { who version(id: $id) { document { name } } }', { id: 'v1' })).toEqual({
      status: 200,
      data: { who: 'Nobody (viewer) req-9', version: { document: { name: 'Bracket d1' } } },
      extensions: { cost: { found: 4, allowed: 20_000 } },
    });
  });

  it('answers 401 to everybody else before it reads what they send', async () => {
    const { app, seen } = await mounted();
    const answer = await app.inject({
      method: 'POST',
      url: '/graphql',
      headers: { 'content-type': 'application/json' },
      payload: '{ broken',
    });
    expect(answer.statusCode).toBe(401);
    expect(answer.headers['www-authenticate']).toBe('Bearer');
    expect(answer.json()).toEqual({
      errors: [{ message: 'This token is not known.', extensions: { code: 'unauthenticated' } }],
    });
    expect((await app.inject({ url: '/graphql?query={who}' })).statusCode).toBe(401);
    expect(seen.contexts).toEqual([]);
  });

  it('keeps refusals at status 200 with their data, and hides what is unexpected', async () => {
    const { ask, lines } = await mounted();
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
        message: 'Something went wrong; the log has it under req-9.',
        locations: undefined,
        path: ['createDocument'],
        extensions: { code: 'internal' },
      },
    ]);
    expect(lines.join()).toContain('secret of the house');
  });

  it('says nothing about the schema in errors: no suggestions', async () => {
    const { ask } = await mounted();
    const { status, errors } = await ask('{ documnt(id: "d1") { name } }');
    expect(status).toBe(400);
    expect(errors[0].extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
    expect(JSON.stringify(errors)).not.toMatch(/Did you mean|stack/);
  });

  it('runs the guard before validation, on queries and on their hashes', async () => {
    const { app, ask } = await mounted();
    const query = `{ ${'x '.repeat(30)} }`;
    expect(await ask(query)).toMatchObject({
      status: 400,
      errors: [{ extensions: { code: 'validation_failed', limit: 'rootFields', allowed: 20, found: 30 } }],
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

  it('tells its schema when it may, and only then', async () => {
    expect((await (await mounted()).ask(getIntrospectionQuery())).data.__schema.types.length).toBeGreaterThan(5);
    const closed = await (await mounted({ introspection: false })).ask('{ __schema { types { name } } }');
    expect(closed).toMatchObject({ status: 400, errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }] });
  });

  it('refuses what a foreign page could send without asking, mutations by GET, and batches', async () => {
    const { app } = await mounted();
    const plain = await app.inject({ url: '/graphql?query={who}', headers: { authorization: 'Bearer good' } });
    expect(plain.statusCode).toBe(400);
    const asked = { authorization: 'Bearer good', 'apollo-require-preflight': '1' };
    expect((await app.inject({ url: '/graphql?query={who}', headers: asked })).json()).toMatchObject({
      data: { who: 'Nobody (viewer) req-9' },
    });
    const mutation = encodeURIComponent('mutation { takeOver(workspaceId: "w", versionId: "v") { n } }');
    expect((await app.inject({ url: `/graphql?query=${mutation}`, headers: asked })).statusCode).toBe(405);
    const batch = await app.inject({
      method: 'POST',
      url: '/graphql',
      headers: AUTHORIZED,
      payload: [{ query: '{ who }' }, { query: '{ who }' }],
    });
    expect(batch.statusCode).toBe(400);
  });

  it('answers HEAD as GET, without the body', async () => {
    const { app } = await mounted();
    const headers = { authorization: 'Bearer good', 'apollo-require-preflight': '1' };
    for (const [query, status] of [
      ['{who}', 200],
      ['{', 400],
      ['mutation{x}', 400],
    ] as const) {
      const asked = { url: `/graphql?query=${encodeURIComponent(query)}`, headers };
      const [get, head] = [await app.inject(asked), await app.inject({ ...asked, method: 'HEAD' })];
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

  it('refuses two keys for one write', async () => {
    const { app } = await mounted();
    const headers = { ...AUTHORIZED, 'idempotency-key': ['1', '2'] };
    const answer = await app.inject({ method: 'POST', url: '/graphql', headers, payload: { query: '{ who }' } });
    const errors = [{ path: '/Idempotency-Key', message: 'is given more than once' }];
    expect([answer.statusCode, answer.json().errors[0].extensions]).toEqual([
      400,
      { code: 'validation_failed', errors },
    ]);
  });

  it('refuses bodies that are no JSON, too large or of another kind in its own words', async () => {
    const { app } = await mounted();
    const send = async (type: string, payload: string) => {
      const answer = await app.inject({
        method: 'POST',
        url: '/graphql',
        headers: { ...AUTHORIZED, 'content-type': type },
        payload,
      });
      return [answer.statusCode, answer.json().errors[0].extensions.code];
    };
    expect(await send('application/json', '{ broken')).toEqual([400, 'validation_failed']);
    expect(await send('application/json', JSON.stringify({ query: ' '.repeat(1 << 21) }))).toEqual([
      413,
      'file_too_large',
    ]);
    expect(await send('application/xml', '<a/>')).toEqual([415, 'unsupported_media_type']);
  });

  it('reads JSON as REST does: UTF-8 alone, no key twice, nothing compressed, telling what is wrong with the same data', async () => {
    const { app } = await mounted();
    const send = async (payload: string | Buffer, more: Record<string, string> = {}) => {
      const answer = await app.inject({
        method: 'POST',
        url: '/graphql',
        headers: { ...AUTHORIZED, ...more },
        payload,
      });
      return [answer.statusCode, answer.json().errors?.[0].extensions ?? answer.json().data];
    };
    const fault = (path: string, message: string) => [400, { code: 'validation_failed', errors: [{ path, message }] }];
    const shiftJis = Buffer.concat([
      Buffer.from('{"query":"{ who }","variables":{"name":"'),
      Buffer.from([0x95, 0x94]),
      Buffer.from('"}}'),
    ]);
    expect(await send(shiftJis)).toEqual(fault('', 'must be UTF-8'));
    expect(await send('{"query":"{ who }","variables":{"a":1,"a":2}}')).toEqual(
      fault('/variables/a', 'is a duplicate key'),
    );
    expect(await send('{"query":"{ who }","variables":{"__proto__":{}}}')).toEqual(
      fault('', 'must not contain the key __proto__'),
    );
    expect(await send('{"query":"{ who }"}', { 'content-encoding': 'gzip' })).toEqual([
      415,
      { code: 'unsupported_media_type' },
    ]);
    expect(await send(JSON.stringify({ query: ' '.repeat(1 << 20) }))).toEqual([
      413,
      { code: 'file_too_large', maxBytes: 1 << 20 },
    ]);
    expect(await send('\ufeff{"query":"{ who }"}')).toEqual([200, { who: 'Nobody (viewer) req-9' }]);
  });

  it('refuses If-None-Match with a write and If-Match with a read, instead of passing them over', async () => {
    const { app, ask } = await mounted();
    const send = async (query: string, headers: Record<string, string>) => {
      const answer = await app.inject({
        method: 'POST',
        url: '/graphql',
        headers: { ...AUTHORIZED, ...headers },
        payload: { query },
      });
      return [answer.statusCode, answer.json().errors?.[0].extensions.code];
    };
    const write = 'mutation { createDocument(input: { name: "a", kind: MODEL }) { id } }';
    for (const query of [write, '{ who }']) await ask(query); // from then on they take the short way
    expect(await send(write, { 'if-none-match': '*' })).toEqual([400, 'validation_failed']);
    expect(await send('{ who }', { 'if-match': '"a"' })).toEqual([400, 'validation_failed']);
    expect(await send('{ who }', { 'if-none-match': '"a"' })).toEqual([200, undefined]);
  });
});

describe('the explorer', () => {
  it('is a page of this service alone, open to everybody, compressed', async () => {
    const { app } = await mounted();
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
    expect(plain.headers['content-security-policy']).toMatch(/script-src( 'sha256-[^']+'){2};/); // no script but the two of the page
  });

  it('asks in the session of the start page, keeps no token itself, and opens with operations to begin with', async () => {
    const { app } = await mounted();
    const { body } = await app.inject({ url: '/graphql', headers: { accept: 'text/html' } });
    expect(body).toMatch(/headers\.set\('x-pdm-csrf', '1'\)[\s\S]*YogaGraphiQL\.renderYogaGraphiQL\(/);
    const options = JSON.parse(
      /renderYogaGraphiQL\(\s*window\.document\.querySelector\('#root'\),\s*(\{.*\}),\n/.exec(body)?.[1] ?? '',
    );
    expect(options).toMatchObject({ endpoint: '/graphql', shouldPersistHeaders: false });
    expect(options.defaultTabs.map(({ query }: { query: string }) => /query (\w+)/.exec(query)?.[1])).toEqual([
      'NewestDocuments',
      'BillOfMaterial',
      'Jobs',
      'References',
      'VersionGraph',
      'WhereUsed',
    ]);
    expect(options.defaultTabs[1].variables).toBe('{\n  "version": ""\n}');
  });
});
