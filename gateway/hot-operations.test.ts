import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { inFlight } from '../http/in-flight.ts';
import { mountGraphql } from './server.ts';
import { NOBODY } from './testing/sample.ts';
import { sampleGateway } from './testing/sample-gateway.ts';

const apps: FastifyInstance[] = [];
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
});

// the sample's /graphql, and how often it went past the pipeline of Apollo Server
async function mounted() {
  const { gateway, log, seen } = await sampleGateway({ limits: { objects: 40 } });
  const app = Fastify();
  apps.push(app);
  const { direct } = gateway.executor;
  const past = { count: 0 };
  gateway.executor.direct = (asked, request) => {
    past.count++;
    return direct!(asked, request);
  };
  const places = inFlight({ requests: 256, uploads: 4, streams: 8 });
  const options = {
    gateway,
    log,
    authenticate: async () => NOBODY,
    admit: () => ({}),
    inFlight: places,
    requestId: () => 'req-9',
  };
  await mountGraphql(app, { ...options, introspection: true, maxUploadBytes: 1 << 20 });
  const send = async (body: object | string, headers: Record<string, string> = {}) => {
    const answer = await app.inject({
      method: 'POST',
      url: '/graphql',
      headers: { 'content-type': 'application/json', ...headers },
      payload: body,
    });
    const { date: _date, ...told } = answer.headers;
    return { status: answer.statusCode, headers: told, body: answer.body };
  };
  return { send, past, seen };
}

const DOCUMENT = 'query One($id: ID!) { document(id: $id) { id name } }';
const TWO = 'query A { document(id: "d1") { name } } query B($v: ID!) { version(id: $v) { n document { name } } }';
const CREATE = 'mutation ($input: NewDocument!) { createDocument(input: $input) { id } }';

test.each([
  ['data', { query: DOCUMENT, variables: { id: 'd1' } }],
  ['null', { query: DOCUMENT, variables: { id: 'nobody' } }],
  ['a variable that is missing', { query: DOCUMENT, variables: {} }],
  ['a variable of another type', { query: DOCUMENT, variables: { id: {} } }],
  ['the operation that is named', { query: TWO, operationName: 'B', variables: { v: 'v2' } }],
  ['no variables at all', { query: '{ document(id: "d1") { name } who }', variables: null }],
  ['a write', { query: CREATE, variables: { input: { name: 'new', kind: 'MODEL' } } }],
  ['a refusal with its data', { query: CREATE, variables: { input: { name: 'taken', kind: 'MODEL' } } }],
  ['an unexpected failure', { query: CREATE, variables: { input: { name: 'bug', kind: 'MODEL' } } }],
  ['a value that is hidden', { query: CREATE, variables: { input: { name: 'x', kind: 'SECRET' } } }],
  ['introspection', { query: '{ __type(name: "Folder") { name } who }' }],
  [
    'more than one operation may read',
    { query: 'query ($n: Int) { documents(limit: $n) { id } }', variables: { n: 45 } },
  ],
])('an operation is answered the second time as the first, to the byte: %s', async (_what, body) => {
  const { send, past } = await mounted();
  const first = await send(body);
  expect(past.count).toBe(0);
  await send({ query: '{ who }' });
  expect(await send(body)).toEqual(first);
  expect(past.count).toBe(1);
});

test('each kind of client is answered as Apollo Server answered it first', async () => {
  const { send, past } = await mounted();
  for (const accept of [
    'application/json',
    'application/graphql-response+json',
    '*/*',
    'application/graphql-response+json, application/json;q=0.9',
  ]) {
    const first = await send({ query: '{ who }' }, { accept });
    const before = past.count;
    expect(await send({ query: '{ who }' }, { accept })).toEqual(first);
    expect(past.count).toBe(before + 1);
  }
  const refused = await send({ query: '{ who }' }, { accept: 'text/html' });
  expect(refused.status).toBe(406);
  expect(await send({ query: '{ who }' }, { accept: 'text/html' })).toEqual(refused);
});

test('what asks for more than to run, or was never valid, stays with Apollo Server', async () => {
  const { send, past } = await mounted();
  const hot = { query: 'query ($n: Int) { documents(limit: $n) { id } }', variables: { n: 1 } };
  await send(hot);
  await send(hot);
  expect(past.count).toBe(1);
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
  expect(past.count).toBe(1);
  for (let times = 0; times < 2; times++) {
    expect((await send({ query: '{ documnt }' })).status).toBe(400);
    expect((await send({ query: 'query waitSeconds { who }' })).status).toBe(200); // as long polls are told apart
  }
  expect(past.count).toBe(1);
});

test('the guard judges each run by its variables', async () => {
  const { send, past, seen } = await mounted();
  const query = 'query ($n: Int) { documents(limit: $n) { versions { bom { version { id } } } } }';
  await send({ query, variables: { n: 1 } });
  await send({ query, variables: { n: 1 } });
  expect(past.count).toBe(1);
  seen.contexts.length = 0;
  const refused = await send({ query, variables: { n: 1000 } });
  expect([refused.status, JSON.parse(refused.body).errors[0].extensions.limit, past.count]).toEqual([400, 'cost', 1]);
  expect(seen.contexts).toEqual([]);
});
