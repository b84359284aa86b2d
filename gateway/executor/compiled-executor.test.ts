import { getEventListeners } from 'node:events';
import { getIntrospectionQuery, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createRequest, createSampleGateway } from '../testing/sample-gateway.ts';
import { createLruCache } from './lru-cache.ts';
import { merge } from './merge.ts';

describe('an operation across subgraphs', () => {
  it('returns fields in the order and under the keys of the client', async () => {
    const { ask } = await createSampleGateway();
    const { data, errors } = await ask(
      'query Q { version(id: "v2") { artifacts { fileName } number: n document { name } } }',
    );
    expect(errors).toBeUndefined();
    expect(JSON.stringify(data)).toBe(
      '{"version":{"artifacts":[{"fileName":"part-v2.stp"}],"number":2,"document":{"name":"Bracket d2"}}}',
    );
  });

  it('loads the entities of one fetch in one batch and creates one context per operation and subgraph', async () => {
    const { ask, recording } = await createSampleGateway();
    const { data } = await ask(
      'query Q { version(id: "v2") { bom { version { document { name } artifacts { size } } } } }',
    );
    expect(JSON.stringify(data)).toContain('Bracket d5');
    expect(recording.contexts.toSorted()).toEqual(['artifacts', 'documents', 'versioning']);
    expect(recording.batches).toContainEqual(['d1', 'd2', 'd3', 'd4', 'd5']);
  });

  it('shares no loader with another operation of the same request', async () => {
    const { ask, recording } = await createSampleGateway();
    const request = createRequest();
    await ask('query Q { document(id: "d1") { name } }', {}, request);
    await ask('query Q { document(id: "d1") { name } }', {}, request);
    expect(recording.batches).toEqual([['d1'], ['d1']]);
  });

  it('combines introspection and other fields', async () => {
    const { ask } = await createSampleGateway();
    const { data } = await ask(
      'query Q { document(id: "d1") { name } ...S } fragment S on Query { it: __type(name: "Kind") { enumValues { name } } }',
    );
    expect(data).toEqual({
      document: { name: 'Bracket d1' },
      it: { enumValues: [{ name: 'MODEL' }, { name: 'ASSEMBLY' }] },
    });
  });

  it("supports an explorer's introspection query", async () => {
    const { gateway } = await createSampleGateway();
    const { data, errors } = await gateway.execute(
      gateway.prepare(parse(getIntrospectionQuery())),
      {},
      createRequest(),
    );
    expect(errors).toBeUndefined();
    expect(JSON.stringify(data)).toContain('"Artifact"');
  });

  it('reports the path and the data of a subgraph error', async () => {
    const { ask } = await createSampleGateway();
    const { data, errors } = await ask('mutation M { takeOver(workspaceId: "w", versionId: "v") { n } }');
    expect(data).toBeNull();
    expect(errors?.map(({ path, extensions }) => ({ path, extensions }))).toEqual([
      { path: ['takeOver'], extensions: { code: 'draft_would_lose', lost: ['part.stp'] } },
    ]);
  });

  it('rejects invalid variables before it calls a subgraph', async () => {
    const { ask, recording } = await createSampleGateway();
    const { errors } = await ask('mutation M($input: NewDocument!) { createDocument(input: $input) { id } }', {
      input: { name: 'x', kind: 'SECRET' },
    });
    expect(errors?.[0]?.extensions.code).toBe('validation_failed');
    expect(recording.contexts).toEqual([]);
  });
});

describe('prototype pollution', () => {
  const clean = () => expect(({} as Record<string, unknown>).polluted).toBeUndefined();

  it('merges responses without prototype pollution', () => {
    merge({}, JSON.parse('{"__proto__": {"polluted": 1}, "a": {"__proto__": {"polluted": 1}}}'));
    merge({ a: {} }, JSON.parse('{"a": {"__proto__": {"polluted": 1}}}'));
    clean();
  });

  it.each([
    'query Q { __proto__: version(id: "v1") { polluted: n } }',
    'query Q { version(id: "v1") { __proto__: document { polluted: name } } }',
  ])('rejects the response name %s', async (text) => {
    const { errors } = await (await createSampleGateway()).ask(text);
    expect(errors?.[0]?.extensions.code).toBe('validation_failed');
    clean();
  });

  it('does not affect other names of Object.prototype, also if their subgraph fails', async () => {
    const { ask } = await createSampleGateway();
    const { data } = await ask(
      'query Q { version(id: "v1") { constructor: id toString: n document { valueOf: name parameters } } }',
    );
    expect(data?.version).toMatchObject({ constructor: 'v1', toString: 1, document: { valueOf: 'Bracket d1' } });
    expect((await ask('query Q { constructor: artifact(id: "none") { id } }')).data).toEqual({ constructor: null });
    clean();
  });
});

describe('the limits of a running operation', () => {
  const NESTED = 'query Q { documents(limit: 20) { versions { bom { version { document { name } } } } } }';

  it('rejects too many entities in one fetch', async () => {
    const { ask } = await createSampleGateway({ limits: { representations: 50 } });
    expect((await ask(NESTED)).errors?.[0]?.extensions).toMatchObject({
      code: 'validation_failed',
      limit: 'representations',
      allowed: 50,
    });
  });

  it('rejects too many objects in one response', async () => {
    const { ask } = await createSampleGateway({ limits: { objects: 100 } });
    expect((await ask(NESTED)).errors?.[0]?.extensions).toMatchObject({
      code: 'validation_failed',
      limit: 'objects',
      allowed: 100,
    });
    expect((await ask('query Q { document(id: "d1") { name } }')).errors).toBeUndefined();
  });

  it('aborts an operation and its resolvers at the time limit', async () => {
    const { ask, recording } = await createSampleGateway({ limits: { milliseconds: 20 } });
    expect((await ask('query Q { slow }')).errors?.[0]?.extensions.code).toBe('timeout');
    expect(recording.aborted).toHaveLength(1);
  });

  it('adds waitSeconds to the time limit of a long poll', async () => {
    const { ask, recording } = await createSampleGateway({ limits: { milliseconds: 20 } });
    const client = new AbortController();
    const waiting = ask('mutation M($s: Int) { waitForWork(waitSeconds: $s) }', { s: 30 }, { signal: client.signal });
    expect((await ask('query Q { slow }')).errors?.[0]?.extensions.code).toBe('timeout'); // started later, ended in time
    expect(recording.signals.map(({ aborted }) => aborted)).toEqual([false, true]);
    client.abort();
    expect(await waiting).toEqual({ data: { waitForWork: 'aborted' } });
  });

  it('ends a write at the time limit only if it has an idempotency key, by which its outcome can be asked for', async () => {
    const { ask, recording } = await createSampleGateway({ limits: { milliseconds: 20 } });
    const client = new AbortController();
    const write = 'mutation M { waitForWork(waitSeconds: 0) }';
    const unlimited = ask(write, {}, { signal: client.signal });
    const { errors } = await ask(write, {}, { idempotency: { id: 'key', request: 'r' } });
    expect(errors?.[0]).toMatchObject({
      message: expect.stringContaining('Repeat the request with the same Idempotency-Key'),
      extensions: { code: 'timeout', retryAfter: 1 },
    });
    expect(recording.signals.map(({ aborted }) => aborted)).toEqual([false, true]);
    client.abort();
    expect(await unlimited).toEqual({ data: { waitForWork: 'aborted' } });
  });

  it('keeps the most recently used plans', () => {
    const cache = createLruCache<{ name: string }>(2);
    const created: string[] = [];
    const use = (name: string) =>
      cache.get(name, () => {
        created.push(name);
        return { name };
      });
    for (const name of ['a', 'b', 'a', 'c', 'a', 'b']) use(name);
    expect(created).toEqual(['a', 'b', 'c', 'b']);
    expect(cache.size).toBe(2);
  });
});

describe('a client that disconnects', () => {
  it('ends a query and aborts its resolvers', async () => {
    const { ask, recording } = await createSampleGateway();
    const client = new AbortController();
    const response = ask('query Q { slow }', {}, { signal: client.signal });
    await expect.poll(() => recording.signals.length).toBe(1);
    client.abort();
    expect((await response).errors?.[0]?.extensions.code).toBe('client_left');
    expect(recording.aborted).toHaveLength(1);
  });

  it('leaves no listener after a thousand operations', async () => {
    const { gateway } = await createSampleGateway();
    const operation = gateway.prepare(parse('query Q { document(id: "d1") { name } }'));
    const request = createRequest();
    for (let count = 0; count < 1000; count++) await gateway.execute(operation, {}, request);
    expect(getEventListeners(request.signal, 'abort')).toEqual([]);
  });
});

describe('the public error', () => {
  it('hides the message and subgraph of an unexpected error, which are logged with the request id', async () => {
    const { ask, lines } = await createSampleGateway();
    const { errors } = await ask(
      'mutation M { createDocument(input: { name: "bug", kind: MODEL }) { id } }',
      {},
      { requestId: 'req-7' },
    );
    expect(JSON.parse(JSON.stringify(errors?.[0]))).toMatchObject({
      path: ['createDocument'],
      extensions: { code: 'internal' },
    });
    expect(JSON.stringify(errors)).not.toMatch(/detail|documents"|stack/);
    expect(errors?.[0]?.message).toContain('req-7');
    expect(lines.join()).toMatch(/internal detail/);
    expect(lines.join()).toMatch(/"requestId":"req-7"/);
  });

  it('keeps the data of a catalogued error', async () => {
    const { errors } = await (await createSampleGateway()).ask(
      'mutation M { createDocument(input: { name: "taken", kind: MODEL }) { id } }',
    );
    expect(errors?.[0]?.extensions).toEqual({ code: 'number_taken', holder: 'd1' });
  });
});

describe.each(['compiled', 'apollo'] as const)('the %s executor', (executor) => {
  it('returns data, errors and timeouts', async () => {
    const { ask } = await createSampleGateway({ executor, limits: { milliseconds: 50 } });
    expect((await ask('query Q { version(id: "v1") { document { name } } who }')).data).toEqual({
      version: { document: { name: 'Bracket d1' } },
      who: 'Vera (viewer) req-1',
    });
    expect(
      (await ask('mutation M { takeOver(workspaceId: "w", versionId: "v") { n } }')).errors?.[0]?.extensions.code,
    ).toBe('draft_would_lose');
    expect((await ask('query Q { slow }')).errors?.[0]?.extensions.code).toBe('timeout');
  });
});
