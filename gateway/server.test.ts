import { createHash, randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { getIntrospectionQuery } from 'graphql';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { DomainError } from '../subgraphs/core/domain/errors.ts';
import { inFlight } from './in-flight.ts';
import { mountGraphql } from './server.ts';
import { NOBODY } from './testing/sample.ts';
import { sampleGateway } from './testing/sample-gateway.ts';

const AUTHORIZED = { authorization: 'Bearer good', 'content-type': 'application/json' };
const apps: FastifyInstance[] = [];
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
});

async function mounted({ introspection = true, maxUploadBytes = 1 << 20 } = {}) {
  const { gateway, log, seen, lines } = await sampleGateway();
  const app = Fastify();
  apps.push(app);
  const authenticate = async ({ headers }: { headers: { authorization?: string } }) => {
    if (headers.authorization !== 'Bearer good') throw new DomainError('unauthenticated', 'This token is not known.');
    return NOBODY;
  };
  await mountGraphql(app, {
    gateway,
    log,
    authenticate,
    admit: () => ({}),
    inFlight: inFlight({ requests: 256, uploads: 4, streams: 8 }),
    requestId: () => 'req-9',
    introspection,
    maxUploadBytes,
  });
  const ask = async (query: string, variables: object = {}) => {
    const answer = await app.inject({ method: 'POST', url: '/graphql', headers: AUTHORIZED, payload: { query, variables } });
    return { status: answer.statusCode, ...answer.json() };
  };
  return { app, seen, lines, ask };
}

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
    const answer = await app.inject({ method: 'POST', url: '/graphql', headers: { 'content-type': 'application/json' }, payload: '{ broken' });
    expect(answer.statusCode).toBe(401);
    expect(answer.headers['www-authenticate']).toBe('Bearer');
    expect(answer.json()).toEqual({ errors: [{ message: 'This token is not known.', extensions: { code: 'unauthenticated' } }] });
    expect((await app.inject({ url: '/graphql?query={who}' })).statusCode).toBe(401);
    expect(seen.contexts).toEqual([]);
  });

  it('keeps refusals at status 200 with their data, and hides what is unexpected', async () => {
    const { ask, lines } = await mounted();
    const create = (name: string) =>
      ask('mutation ($input: NewDocument!) { createDocument(input: $input) { id } }', { input: { name, kind: 'MODEL' } });
    expect(await create('taken')).toMatchObject({ status: 200, errors: [{ extensions: { code: 'number_taken', holder: 'd1' } }] });
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
    expect((await app.inject({ url: '/graphql?query={who}', headers: asked })).json()).toMatchObject({ data: { who: 'Nobody (viewer) req-9' } });
    const mutation = encodeURIComponent('mutation { takeOver(workspaceId: "w", versionId: "v") { n } }');
    expect((await app.inject({ url: `/graphql?query=${mutation}`, headers: asked })).statusCode).toBe(405);
    const batch = await app.inject({ method: 'POST', url: '/graphql', headers: AUTHORIZED, payload: [{ query: '{ who }' }, { query: '{ who }' }] });
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
    expect([head.statusCode, head.body, head.headers['content-length']]).toEqual([200, '', get.headers['content-length']]);
    expect((await app.inject({ method: 'HEAD', url: '/graphql?query={who}' })).statusCode).toBe(401);
  });

  it('refuses bodies that are no JSON, too large or of another kind in its own words', async () => {
    const { app } = await mounted();
    const send = async (type: string, payload: string) => {
      const answer = await app.inject({ method: 'POST', url: '/graphql', headers: { ...AUTHORIZED, 'content-type': type }, payload });
      return [answer.statusCode, answer.json().errors[0].extensions.code];
    };
    expect(await send('application/json', '{ broken')).toEqual([400, 'validation_failed']);
    expect(await send('application/json', JSON.stringify({ query: ' '.repeat(1 << 21) }))).toEqual([413, 'file_too_large']);
    expect(await send('application/xml', '<a/>')).toEqual([415, 'unsupported_media_type']);
  });
});

describe('the explorer', () => {
  it('is a page of this service alone, open to everybody, compressed', async () => {
    const { app } = await mounted();
    const page = await app.inject({ url: '/graphql', headers: { accept: 'text/html,*/*', 'accept-encoding': 'gzip, br' } });
    expect([page.statusCode, page.headers['content-encoding'], page.headers['content-type']]).toEqual([200, 'br', 'text/html; charset=utf-8']);
    expect(page.rawPayload.length).toBeLessThan(3 << 20);
    const plain = await app.inject({ url: '/graphql', headers: { accept: 'text/html' } });
    expect(plain.body).not.toMatch(/<(script|link|img)[^>]+(src|href)="https?:/);
    expect(plain.headers['content-security-policy']).toContain("connect-src 'self'");
  });

  it('takes the token over from the start page, keeps none itself, and opens with operations to begin with', async () => {
    const { app } = await mounted();
    const { body } = await app.inject({ url: '/graphql', headers: { accept: 'text/html' } });
    expect(body.indexOf("sessionStorage.getItem('token')")).toBeLessThan(body.indexOf('YogaGraphiQL.renderYogaGraphiQL'));
    const options = JSON.parse(/renderYogaGraphiQL\(\s*window\.document\.querySelector\('#root'\),\s*(\{.*\}),\n/.exec(body)?.[1] ?? '');
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

const OPERATIONS = JSON.stringify({
  query: 'mutation ($v: ID!, $f: Upload!) { uploadArtifact(versionId: $v, file: $f) { size sha256 } }',
  variables: { v: 'v1', f: null },
});
const part = (name: string, text: string, more = '') => `--B\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n${text}\r\n`;
const envelope = part('operations', OPERATIONS) + part('map', '{"0":["variables.f"]}');
const form = (bytes: Buffer) =>
  Buffer.concat([Buffer.from(envelope + part('0', '', '; filename="a.stp"').slice(0, -2)), bytes, Buffer.from('\r\n--B--\r\n')]);
const MULTIPART = { authorization: 'Bearer good', 'content-type': 'multipart/form-data; boundary=B', 'apollo-require-preflight': '1' };

describe('a file sent to /graphql', () => {
  it('arrives whole', async () => {
    const { app } = await mounted();
    const bytes = randomBytes(1 << 20);
    const answer = await app.inject({ method: 'POST', url: '/graphql', headers: MULTIPART, payload: form(bytes) });
    expect(answer.json()).toMatchObject({
      data: { uploadArtifact: { size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') } },
    });
  });

  it('is refused without the header that makes browsers ask first, also when the query would be allowed', async () => {
    const { app, seen } = await mounted();
    const { 'apollo-require-preflight': _, ...headers } = MULTIPART;
    const answer = await app.inject({ method: 'POST', url: '/graphql', headers, payload: form(Buffer.from('x')) });
    expect([answer.statusCode, answer.json().errors[0].extensions.code]).toEqual([400, 'validation_failed']);
    expect(seen.contexts).toEqual([]);
  });

  it('is refused by its stated length before a byte of it is read, and when its bytes turn out too many', async () => {
    const { app } = await mounted({ maxUploadBytes: 100_000 });
    const stated = await app.inject({
      method: 'POST',
      url: '/graphql',
      headers: { ...MULTIPART, 'content-length': String(1 << 30) },
      payload: form(Buffer.alloc(10)),
    });
    expect([stated.statusCode, stated.json().errors[0].extensions.code]).toEqual([413, 'file_too_large']);
    const counted = await app.inject({ method: 'POST', url: '/graphql', headers: MULTIPART, payload: form(Buffer.alloc(200_000)) });
    expect(counted.json().errors[0].extensions).toMatchObject({ code: 'file_too_large', maxBytes: 100_000 });
  });

  it('is refused in words when the form is not as the specification has it, or holds more than one', async () => {
    const { app } = await mounted();
    const file = (name: string) => part(name, 'x', '; filename="a.stp"');
    const send = async (...parts: string[]) => {
      const answer = await app.inject({ method: 'POST', url: '/graphql', headers: MULTIPART, payload: `${parts.join('')}--B--\r\n` });
      const [{ message, extensions }] = answer.json().errors;
      return [answer.statusCode, extensions.code, message];
    };
    const operations = part('operations', OPERATIONS);
    const refused = (words: string) => [expect.any(Number), 'validation_failed', expect.stringContaining(words)];
    const two = part('map', '{"0":["variables.f"],"1":["variables.g"]}');
    expect(await send(operations, two, file('0'), file('1'))).toEqual([400, 'validation_failed', expect.stringContaining('one file')]);
    expect(await send(part('map', '{"0":["variables.f"]}'), operations, file('0'))).toEqual(refused('should follow'));
    expect(await send(operations, part('map', '{"0":["variables.f"]}'))).toEqual(refused('did not arrive'));
    expect(await send(operations, part('map', '{"0":["__proto__.f"]}'), file('0'))).toEqual(refused('Invalid object path'));
    expect(await send(part('operations', '{ broken'))).toEqual(refused('Invalid JSON'));
    expect(await send()).toEqual(refused('multipart'));
    expect(await send(part('operations', `[${OPERATIONS}]`), part('map', '{"0":["0.variables.f"]}'), file('0'))).toEqual([
      400,
      'BAD_REQUEST',
      expect.any(String),
    ]);
  });

  it('that is refused while a client keeps writing does not leave it waiting', async () => {
    const { app } = await mounted({ maxUploadBytes: 100_000 });
    await app.listen({ port: 0, host: '127.0.0.1' });
    const address = app.server.address();
    const socket = connect(typeof address === 'object' && address ? address.port : 0, '127.0.0.1');
    const heard = new Promise<string>((resolve) => {
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk;
        if (text.includes('\r\n\r\n')) resolve(text);
      });
    });
    socket.on('error', () => undefined); // the service hangs up in the end
    const headers = Object.entries({ host: 'x', ...MULTIPART, 'transfer-encoding': 'chunked' }).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`POST /graphql HTTP/1.1\r\n${headers.join('')}\r\n`);
    const chunk = (bytes: Buffer) => Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
    socket.write(chunk(Buffer.from(envelope + part('0', '', '; filename="a"').slice(0, -2))));
    const keepWriting = () => {
      while (!socket.destroyed && socket.write(chunk(Buffer.alloc(65_536))));
    };
    socket.on('drain', keepWriting);
    keepWriting();
    const answer = await heard;
    expect(answer).toContain('file_too_large');
    await expect.poll(() => socket.destroyed || socket.closed, { timeout: 10_000 }).toBe(true);
  });
});

describe('a body that stops coming', () => {
  it.each([
    ['JSON', AUTHORIZED, '{"query":'],
    ['multipart', MULTIPART, envelope],
  ])('loses its connection: %s', async (_kind, given, begun) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const { app, seen } = await mounted();
    await app.listen({ port: 0, host: '127.0.0.1' });
    const address = app.server.address();
    const socket = connect(typeof address === 'object' && address ? address.port : 0, '127.0.0.1');
    socket.on('error', () => undefined).resume();
    const headers = Object.entries({ host: 'x', ...given, 'content-length': '10000' }).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`POST /graphql HTTP/1.1\r\n${headers.join('')}\r\n${begun}`);
    const later = () => {
      vi.advanceTimersByTime(5_000);
      return socket.destroyed;
    };
    await expect.poll(later, { timeout: 5_000 }).toBe(true);
    vi.useRealTimers();
    expect(seen.contexts).toEqual([]);
  });
});
