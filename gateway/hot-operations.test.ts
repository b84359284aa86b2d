import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { createConcurrencyLimits } from '../http/concurrency-limits.ts';
import { mountGraphql } from './server.ts';
import { VIEWER } from './testing/sample.ts';
import { createSampleGateway } from './testing/sample-gateway.ts';

const apps: FastifyInstance[] = [];
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
});

// Mounts the sample's /graphql and counts the operations that bypass Apollo Server.
async function mountCounted() {
  const { gateway, log, recording } = await createSampleGateway({ limits: { objects: 40 } });
  const app = Fastify();
  apps.push(app);
  const { runDocument } = gateway.executor;
  const bypassed = { count: 0 };
  gateway.executor.runDocument = (input, request) => {
    bypassed.count++;
    return runDocument!(input, request);
  };
  const options = {
    gateway,
    log,
    authenticate: async () => VIEWER,
    admit: () => ({}),
    concurrency: createConcurrencyLimits({ requests: 256, uploads: 4, streams: 8 }),
    requestId: () => 'req-9',
  };
  await mountGraphql(app, { ...options, introspection: true, maxUploadBytes: 1 << 20 });
  const send = async (body: object | string, headers: Record<string, string> = {}) => {
    const response = await app.inject({
      method: 'POST',
      url: '/graphql',
      headers: { 'content-type': 'application/json', ...headers },
      payload: body,
    });
    const { date: _date, ...responseHeaders } = response.headers;
    return { status: response.statusCode, headers: responseHeaders, body: response.body };
  };
  return { send, bypassed, recording };
}

const DOCUMENT = 'query One($id: ID!) { document(id: $id) { id name } }';
const TWO = 'query A { document(id: "d1") { name } } query B($v: ID!) { version(id: $v) { n document { name } } }';
const CREATE = 'mutation ($input: NewDocument!) { createDocument(input: $input) { id } }';

test.each([
  ['data', { query: DOCUMENT, variables: { id: 'd1' } }],
  ['null', { query: DOCUMENT, variables: { id: 'none' } }],
  ['a missing variable', { query: DOCUMENT, variables: {} }],
  ['a variable of the wrong type', { query: DOCUMENT, variables: { id: {} } }],
  ['a named operation', { query: TWO, operationName: 'B', variables: { v: 'v2' } }],
  ['null variables', { query: '{ document(id: "d1") { name } who }', variables: null }],
  ['a write', { query: CREATE, variables: { input: { name: 'new', kind: 'MODEL' } } }],
  ['an error with data', { query: CREATE, variables: { input: { name: 'taken', kind: 'MODEL' } } }],
  ['an unexpected error', { query: CREATE, variables: { input: { name: 'bug', kind: 'MODEL' } } }],
  ['a hidden enum value', { query: CREATE, variables: { input: { name: 'x', kind: 'SECRET' } } }],
  ['introspection', { query: '{ __type(name: "Folder") { name } who }' }],
  ['too many objects', { query: 'query ($n: Int) { documents(limit: $n) { id } }', variables: { n: 45 } }],
])('returns the same bytes the second time: %s', async (_what, body) => {
  const { send, bypassed } = await mountCounted();
  const first = await send(body);
  expect(bypassed.count).toBe(0);
  await send({ query: '{ who }' });
  expect(await send(body)).toEqual(first);
  expect(bypassed.count).toBe(1);
});

test('uses the content type that Apollo Server chose for each Accept header', async () => {
  const { send, bypassed } = await mountCounted();
  for (const accept of [
    'application/json',
    'application/graphql-response+json',
    '*/*',
    'application/graphql-response+json, application/json;q=0.9',
  ]) {
    const first = await send({ query: '{ who }' }, { accept });
    const before = bypassed.count;
    expect(await send({ query: '{ who }' }, { accept })).toEqual(first);
    expect(bypassed.count).toBe(before + 1);
  }
  const refused = await send({ query: '{ who }' }, { accept: 'text/html' });
  expect(refused.status).toBe(406);
  expect(await send({ query: '{ who }' }, { accept: 'text/html' })).toEqual(refused);
});

test('leaves invalid operations and requests with extra features to Apollo Server', async () => {
  const { send, bypassed } = await mountCounted();
  const hot = { query: 'query ($n: Int) { documents(limit: $n) { id } }', variables: { n: 1 } };
  await send(hot);
  await send(hot);
  expect(bypassed.count).toBe(1);
  await send({ ...hot, extensions: {} });
  await send(hot, { 'idempotency-key': '0123456789abcdef0123456789abcdef' });
  expect((await send(hot, { 'idempotency-key': '' })).status).toBe(400);
  await send(hot, { 'if-match': '"1"' });
  await send(hot, { 'content-type': 'text/plain' });
  for (const body of [
    { ...hot, variables: [] },
    { ...hot, variables: 'n' },
    { ...hot, operationName: 7 },
    { ...hot, operationName: 'Other' },
    [hot],
    'null',
  ])
    await send(body);
  expect(bypassed.count).toBe(1);
  for (let times = 0; times < 2; times++) {
    expect((await send({ query: '{ documnt }' })).status).toBe(400);
    expect((await send({ query: 'query waitSeconds { who }' })).status).toBe(200); // looks like a long poll
  }
  expect(bypassed.count).toBe(1);
});

test('runs the guard on the variables of each request', async () => {
  const { send, bypassed, recording } = await mountCounted();
  const query = 'query ($n: Int) { documents(limit: $n) { versions { bom { version { id } } } } }';
  await send({ query, variables: { n: 1 } });
  await send({ query, variables: { n: 1 } });
  expect(bypassed.count).toBe(1);
  recording.contexts.length = 0;
  const refused = await send({ query, variables: { n: 1000 } });
  expect([refused.status, JSON.parse(refused.body).errors[0].extensions.limit, bypassed.count]).toEqual([
    400,
    'cost',
    1,
  ]);
  expect(recording.contexts).toEqual([]);
});
