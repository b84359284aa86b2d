import { getEventListeners } from 'node:events';
import { getIntrospectionQuery, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { requestOf, sampleGateway } from '../testing/sample-gateway.ts';
import { merge } from './merge.ts';
import { leastRecentlyUsed } from './operation-cache.ts';

describe('an operation across subgraphs', () => {
  it('is answered in the order and with the keys of the client', async () => {
    const { ask } = await sampleGateway();
    const { data, errors } = await ask(
      'query Q { version(id: "v2") { artifacts { fileName } number: n document { name } } }',
    );
    expect(errors).toBeUndefined();
    expect(JSON.stringify(data)).toBe(
      '{"version":{"artifacts":[{"fileName":"part-v2.stp"}],"number":2,"document":{"name":"Bracket d2"}}}',
    );
  });

  it('loads the entities of one fetch in one batch, the contexts made once per operation and subgraph', async () => {
    const { ask, seen } = await sampleGateway();
    const { data } = await ask(
      'query Q { version(id: "v2") { bom { version { document { name } artifacts { size } } } } }',
    );
    expect(JSON.stringify(data)).toContain('Bracket d5');
    expect(seen.contexts.toSorted()).toEqual(['artifacts', 'documents', 'versioning']);
    expect(seen.batches).toContainEqual(['d1', 'd2', 'd3', 'd4', 'd5']);
  });

  it('shares no loader with another operation of the same request: what one wrote, the next reads', async () => {
    const { ask, seen } = await sampleGateway();
    const request = requestOf();
    await ask('query Q { document(id: "d1") { name } }', {}, request);
    await ask('query Q { document(id: "d1") { name } }', {}, request);
    expect(seen.batches).toEqual([['d1'], ['d1']]);
  });

  it('answers introspection and other fields together', async () => {
    const { ask } = await sampleGateway();
    const { data } = await ask(
      'query Q { document(id: "d1") { name } ...S } fragment S on Query { it: __type(name: "Kind") { enumValues { name } } }',
    );
    expect(data).toEqual({
      document: { name: 'Bracket d1' },
      it: { enumValues: [{ name: 'MODEL' }, { name: 'ASSEMBLY' }] },
    });
  });

  it("answers an explorer's introspection query", async () => {
    const { gateway } = await sampleGateway();
    const { data, errors } = await gateway.execute(gateway.prepare(parse(getIntrospectionQuery())), {}, requestOf());
    expect(errors).toBeUndefined();
    expect(JSON.stringify(data)).toContain('"Artifact"');
  });

  it('keeps what other subgraphs answered when one fails, and says where', async () => {
    const { ask } = await sampleGateway();
    const { data, errors } = await ask('mutation M { takeOver(workspaceId: "w", versionId: "v") { n } }');
    expect(data).toBeNull();
    expect(errors?.map(({ path, extensions }) => ({ path, extensions }))).toEqual([
      { path: ['takeOver'], extensions: { code: 'draft_would_lose', lost: ['part.stp'] } },
    ]);
  });

  it('refuses variables that do not fit before a subgraph is asked', async () => {
    const { ask, seen } = await sampleGateway();
    const { errors } = await ask('mutation M($input: NewDocument!) { createDocument(input: $input) { id } }', {
      input: { name: 'x', kind: 'SECRET' },
    });
    expect(errors?.[0]?.extensions.code).toBe('validation_failed');
    expect(seen.contexts).toEqual([]);
  });
});

describe('prototype pollution', () => {
  const clean = () => expect(({} as Record<string, unknown>).polluted).toBeUndefined();

  it('does not pass the merge', () => {
    merge({}, JSON.parse('{"__proto__": {"polluted": 1}, "a": {"__proto__": {"polluted": 1}}}'));
    merge({ a: {} }, JSON.parse('{"a": {"__proto__": {"polluted": 1}}}'));
    clean();
  });

  it.each([
    'query Q { __proto__: version(id: "v1") { polluted: n } }',
    'query Q { version(id: "v1") { __proto__: document { polluted: name } } }',
  ])('is refused as a response name: %s', async (text) => {
    const { errors } = await (await sampleGateway()).ask(text);
    expect(errors?.[0]?.extensions.code).toBe('validation_failed');
    clean();
  });

  it('leaves other names of the prototype usable, and null when their subgraph fails', async () => {
    const { ask } = await sampleGateway();
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

  it('refuse too many entities in one fetch', async () => {
    const { ask } = await sampleGateway({ limits: { representations: 50 } });
    expect((await ask(NESTED)).errors?.[0]?.extensions).toMatchObject({
      code: 'validation_failed',
      limit: 'representations',
      allowed: 50,
    });
  });

  it('refuse too many objects in one answer', async () => {
    const { ask } = await sampleGateway({ limits: { objects: 100 } });
    expect((await ask(NESTED)).errors?.[0]?.extensions).toMatchObject({
      code: 'validation_failed',
      limit: 'objects',
      allowed: 100,
    });
    expect((await ask('query Q { document(id: "d1") { name } }')).errors).toBeUndefined();
  });

  it('end an operation in time and wake its resolvers', async () => {
    const { ask, seen } = await sampleGateway({ limits: { milliseconds: 20 } });
    expect((await ask('query Q { slow }')).errors?.[0]?.extensions.code).toBe('timeout');
    expect(seen.aborted).toHaveLength(1);
  });

  it('give a field that waits on purpose the time it asks for', async () => {
    const { ask, seen } = await sampleGateway({ limits: { milliseconds: 20 } });
    const client = new AbortController();
    const waiting = ask('mutation M($s: Int) { waitForWork(waitSeconds: $s) }', { s: 30 }, { signal: client.signal });
    expect((await ask('query Q { slow }')).errors?.[0]?.extensions.code).toBe('timeout'); // begun later, ended in time
    expect(seen.signals.map(({ aborted }) => aborted)).toEqual([false, true]);
    client.abort();
    expect(await waiting).toEqual({ data: { waitForWork: 'woken' } });
  });

  it('keep the plans of the operations used last', () => {
    const cache = leastRecentlyUsed<{ name: string }>(2);
    const made: string[] = [];
    const use = (name: string) =>
      cache.get(name, () => {
        made.push(name);
        return { name };
      });
    for (const name of ['a', 'b', 'a', 'c', 'a', 'b']) use(name);
    expect(made).toEqual(['a', 'b', 'c', 'b']);
    expect(cache.size).toBe(2);
  });
});

describe('a client that leaves', () => {
  it('ends a query and wakes its resolvers', async () => {
    const { ask, seen } = await sampleGateway();
    const client = new AbortController();
    const answer = ask('query Q { slow }', {}, { signal: client.signal });
    await expect.poll(() => seen.signals.length).toBe(1);
    client.abort();
    expect((await answer).errors?.[0]?.extensions.code).toBe('client_left');
    expect(seen.aborted).toHaveLength(1);
  });

  it('leaves no listener behind after a thousand operations', async () => {
    const { gateway } = await sampleGateway();
    const operation = gateway.prepare(parse('query Q { document(id: "d1") { name } }'));
    const request = requestOf();
    for (let count = 0; count < 1000; count++) await gateway.execute(operation, {}, request);
    expect(getEventListeners(request.signal, 'abort')).toEqual([]);
  });
});

describe('what leaves the service of an unexpected error', () => {
  it('is neither its text nor its subgraph; the log has both under the id of the request', async () => {
    const { ask, lines } = await sampleGateway();
    const { errors } = await ask(
      'mutation M { createDocument(input: { name: "bug", kind: MODEL }) { id } }',
      {},
      { requestId: 'req-7' },
    );
    expect(JSON.parse(JSON.stringify(errors?.[0]))).toMatchObject({
      path: ['createDocument'],
      extensions: { code: 'internal' },
    });
    expect(JSON.stringify(errors)).not.toMatch(/secret|documents"|stack/);
    expect(errors?.[0]?.message).toContain('req-7');
    expect(lines.join()).toMatch(/secret of the house/);
    expect(lines.join()).toMatch(/"requestId":"req-7"/);
  });

  it('keeps the data of a refusal of the catalogue', async () => {
    const { errors } = await (await sampleGateway()).ask(
      'mutation M { createDocument(input: { name: "taken", kind: MODEL }) { id } }',
    );
    expect(errors?.[0]?.extensions).toEqual({ code: 'number_taken', holder: 'd1' });
  });
});

describe.each(['compiled', 'apollo'] as const)('the executor %s', (executor) => {
  it('answers, refuses and ends in time alike', async () => {
    process.env.APOLLO_TELEMETRY_DISABLED = 'true';
    const { ask } = await sampleGateway({ executor, limits: { milliseconds: 50 } });
    expect((await ask('query Q { version(id: "v1") { document { name } } who }')).data).toEqual({
      version: { document: { name: 'Bracket d1' } },
      who: 'Nobody (viewer) req-1',
    });
    expect(
      (await ask('mutation M { takeOver(workspaceId: "w", versionId: "v") { n } }')).errors?.[0]?.extensions.code,
    ).toBe('draft_would_lose');
    expect((await ask('query Q { slow }')).errors?.[0]?.extensions.code).toBe('timeout');
  });
});
