// Who may do what: every route and every root field of GraphQL, asked by every identity, as access-matrix.tsv says.
import {
  type GraphQLField,
  type GraphQLObjectType,
  getNamedType,
  isCompositeType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { statusOf } from '../../http/response/status.ts';
import { shownBy } from '../../rest-adapter/if-match.ts';
import { OWN_ROUTES, ROUTES } from '../../rest-adapter/routes.ts';
import { SCHEMA } from '../../rest-adapter/testing/rest-app.ts';
import type { ErrorCode } from '../../subgraphs/core/domain/errors.ts';
import { COLUMNS, MATRIX, type MatrixRow } from '../support/access-matrix.ts';
import { client } from '../support/client.ts';
import { type Cast, cast, IDENTITIES, type Identity } from '../support/identities.ts';
import { type Issuer, startIssuer } from '../support/issuer.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';

let issuer: Issuer;
let pdm: Pdm;
let on: Cast;
beforeAll(async () => {
  issuer = await startIssuer();
  const oidc = { OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: issuer.audience, OIDC_ROLE_CLAIM: 'role' };
  pdm = await startPdm({ settings: { PDM_JOB_LEASE_SECONDS: '3600', ...oidc } });
  on = await cast(pdm, issuer);
});
afterAll(async () => {
  await pdm.close();
  await issuer.down();
});

test('every route and every root field has its row, and every row is one of them', () => {
  const routes = [...ROUTES.flatMap(({ routes }) => routes), ...OWN_ROUTES].map(
    ({ method, path }) => `${method} ${path}`,
  );
  const fields = [SCHEMA.getQueryType(), SCHEMA.getMutationType()].flatMap((type) =>
    Object.keys(type?.getFields() ?? {}).map((field) => `${type?.name.toLowerCase()} ${field}`),
  );
  const open = ['GET /health', 'GET /docs'];
  const rows = new Set([...open, ...MATRIX.map(({ what }) => what.split('?')[0] ?? '')]);
  expect([...rows].sort()).toEqual([...routes, ...fields].sort());
  expect(COLUMNS).toEqual(['what', 'of', 'with', ...IDENTITIES]);
});

const ALL = ROUTES.flatMap(({ routes }) => routes);
/** What is asked about has no tag there for everybody who may write it, and why. */
const UNTAGGED: Record<string, string> = {
  'POST /versions/:id/runs': 'the draft is that of a model, which has no runs to be read',
  'DELETE /tokens/:id': 'a token is there for its user alone',
};
const HELD_TO_TAGS = MATRIX.filter(({ what }) => {
  const route = ALL.find(({ method, path }) => `${method} ${path}` === what.split('?')[0]);
  return route && route.method !== 'GET' && !UNTAGGED[what] && shownBy(route, ALL) !== undefined;
});

// before anything is changed: what it asks about has to be there
test.each(HELD_TO_TAGS)(
  '$what of $of tells whoever may not do it so whatever tag he names, and everybody else that the tag is not the present one',
  async (row) => {
    // that somebody who may work on jobs does not hold this one is found out when it is written
    const byRole = IDENTITIES.filter(
      (identity) => !(row.what.startsWith('POST /jobs/') && (identity === 'admin' || isWorker(identity))),
    );
    const refused = byRole.filter((identity) => /^40[13]$/.test(row.cells[identity]));
    const people: Identity[] = ['viewer', 'editor', 'admin'];
    const asked = [...refused, ...people.filter((identity) => !refused.includes(identity))];
    const answers = await Promise.all(
      asked.map(async (identity) => [identity, await askRest(row, identity, on.things, { 'if-match': '"former"' })]),
    );
    expect(answers).toEqual(
      asked.map((identity) => [identity, refused.includes(identity) ? row.cells[identity] : '412']),
    );
  },
);

describe.each(MATRIX)('$what of $of', (row) => {
  test('answers whom it should, and nobody else', async () => {
    const ask = /^(query|mutation) /.test(row.what) ? askGraphql : askRest;
    const asked = async (identity: Identity) => {
      const cell = row.cells[identity];
      const outcome = await ask(row, identity, cell === 'may' ? nothing : on.things);
      return [identity, cell === 'may' && outcome === '404' ? 'may' : outcome];
    };
    // those who are refused come first: had one of them been let in, the others would find out
    const [refused, letIn] = [
      IDENTITIES.filter((identity) => /^\d/.test(row.cells[identity])),
      IDENTITIES.filter((identity) => !/^\d/.test(row.cells[identity])),
    ];
    const outcomes = await Promise.all(refused.map(asked));
    for (const identity of letIn) outcomes.push(await asked(identity));
    expect(Object.fromEntries(outcomes)).toEqual(row.cells);
    if (/complete|fail|give-?back/i.test(row.what)) await on.hold();
  });
});

const nothing: Record<string, string> = new Proxy({}, { get: (_target, name) => `${String(name)}_nothing` });

async function askRest(
  row: MatrixRow,
  identity: Identity,
  things: Record<string, string>,
  more: Record<string, string> = {},
): Promise<string> {
  const [method = '', path = ''] = row.what.split(' ');
  const named = (name: string) => (name === 'kind' ? (row.of.kind ?? '') : (things[row.of[name] ?? ''] ?? ''));
  const address = filled(
    path.replace(/:(\w+)/g, (_, name: string) => named(name)),
    identity,
    things,
  );
  const upload = path.includes('?kind=');
  const asWorker = upload && (!path.endsWith('source') || isWorker(identity));
  const headers: Record<string, string> = {
    ...more,
    ...bearer(identity),
    ...(row.with ? { 'content-type': 'application/json' } : {}),
    ...(asWorker ? { 'x-generator': 'test/1', 'x-input-sha256': on.things.sha256 ?? '' } : {}),
  };
  const body = upload ? 'a file' : row.with ? filled(row.with, identity, things) : undefined;
  const response = await fetch(`${pdm.url}/api/v1${address}`, { method, headers, body });
  // a stream goes on as long as its job
  await (response.headers.get('content-type') === 'text/event-stream'
    ? response.body?.cancel()
    : response.arrayBuffer());
  return response.ok ? 'ok' : String(response.status);
}

async function askGraphql(row: MatrixRow, identity: Identity, things: Record<string, string>): Promise<string> {
  const [kind = '', name = ''] = row.what.split(' ');
  const field = (kind === 'query' ? SCHEMA.getQueryType() : SCHEMA.getMutationType())?.getFields()[name];
  if (!field) throw new Error(`There is no ${row.what}`);
  const ids = Object.fromEntries(Object.entries(row.of).map(([argument, thing]) => [argument, things[thing]]));
  const variables: Record<string, unknown> = { ...ids, ...JSON.parse(filled(row.with || '{}', identity, things)) };
  const upload = field.args.find(({ type }) => String(getNamedType(type)) === 'Upload');
  if (upload && isWorker(identity)) Object.assign(variables, { generator: 'test/1', inputSha256: on.things.sha256 });
  const given = field.args.filter((argument) => argument.name in variables || argument === upload);
  const declared = given.map((argument) => `$${argument.name}: ${argument.type}`).join(', ');
  const passed = given.map((argument) => `${argument.name}: $${argument.name}`).join(', ');
  const query = `${kind} Asked${declared && `(${declared})`} { ${name}${passed && `(${passed})`} ${isCompositeType(getNamedType(field.type)) ? '{ __typename }' : ''} }`;
  return outcomeOf(await graphql(identity, query, variables, upload?.name));
}

type GraphqlAnswer = {
  status: number;
  body: { data?: Record<string, unknown> | null; errors?: { extensions: { code: ErrorCode } }[] };
};

async function graphql(
  identity: Identity,
  query: string,
  variables: Record<string, unknown> = {},
  upload?: string,
): Promise<GraphqlAnswer> {
  const operations = JSON.stringify({ query, variables: upload ? { ...variables, [upload]: null } : variables });
  const form = new FormData();
  form.set('operations', operations);
  form.set('map', JSON.stringify({ 0: [`variables.${upload}`] }));
  form.set('0', new Blob(['a file']), 'file.bin');
  const response = await fetch(`${pdm.url}/graphql`, {
    method: 'POST',
    headers: {
      ...bearer(identity),
      'apollo-require-preflight': '1',
      ...(upload ? {} : { 'content-type': 'application/json' }),
    },
    body: upload ? form : operations,
  });
  return { status: response.status, body: await response.json() };
}

function outcomeOf({ status, body }: GraphqlAnswer): string {
  const [error] = body.errors ?? [];
  if (!error) return status === 200 ? 'ok' : String(status);
  return String(statusOf(error.extensions.code) ?? error.extensions.code);
}

// a worker says of every file what it made it of
const isWorker = (identity: Identity): boolean => ['worker', 'holder', 'other'].includes(identity);

const bearer = (identity: Identity): Record<string, string> => {
  const token = on.tokens[identity];
  return token ? { authorization: `Bearer ${token}` } : {};
};

function filled(text: string, identity: Identity, things: Record<string, string>): string {
  return text.replace(/\$(\w+)/g, (_, name: string) => (name === 'identity' ? identity : String(things[name])));
}

describe('a worker that holds a job', () => {
  const fieldsOf = (type: string) => Object.values((SCHEMA.getType(type) as GraphQLObjectType).getFields());
  const isLink = (field: GraphQLField<unknown, unknown>) => isObjectType(getNamedType(field.type));

  test.each([
    ['Version', 'jobContext(id: $id) { job { version {', 'job'],
    ['Document', 'jobContext(id: $id) { job { document {', 'job'],
    ['Version', 'download(artifactId: $id) { version {', 'source'],
  ] as const)('walks to a %s and sees nothing of it: %s', async (type, road, thing) => {
    for (const field of fieldsOf(type).filter(({ name }) => name !== 'id')) {
      const required = field.args.filter(isRequiredArgument).map(({ name }) => `${name}: "source"`);
      const asked = `${field.name}${required.length ? `(${required.join(', ')})` : ''} ${isCompositeType(getNamedType(field.type)) ? '{ __typename }' : ''}`;
      const { body } = await graphql(
        'holder',
        `query Walk($id: ID!) { ${road} ${asked} ${'}'.repeat(road.split('{').length)}`,
        {
          id: on.things[thing],
        },
      );
      const codes = body.errors?.map(({ extensions }) => extensions.code);
      expect([field.name, codes, leavesOf(body.data)]).toEqual([field.name, ['forbidden'], [null]]);
    }
  });

  test('is shown no other records than these', () => {
    expect(
      fieldsOf('Job')
        .filter(isLink)
        .map(({ name }) => name),
    ).toEqual(['document', 'error', 'log', 'progress', 'version']);
    expect(
      fieldsOf('Artifact')
        .filter(isLink)
        .map(({ name }) => name),
    ).toEqual(['createdBy', 'version']);
  });

  test('learns nothing about the jobs and files of others from a refusal', async () => {
    const refusals = await Promise.all([
      graphql('worker', 'query Q($id: ID!) { jobContext(id: $id) { job { id } } }', { id: on.things.job }),
      graphql('worker', 'query Q($id: ID) { download(versionId: $id, kind: "source") { id } }', {
        id: on.things.draft,
      }),
      graphql('worker', 'query Q($id: ID) { download(versionId: $id, kind: "source") { id } }', { id: 'ver_nothing' }),
    ]);
    const told = refusals.flatMap(({ body }) => body.errors?.map(({ extensions }) => extensions));
    expect(told).toEqual([
      { code: 'not_your_job', jobId: on.things.job },
      { code: 'not_your_job' },
      { code: 'not_your_job' },
    ]);
  });

  test('gets nothing from a claim that waited while its token was revoked', async () => {
    const { id, token } = (await pdm.admin.post('/tokens', { name: 'waiting', role: 'worker' })).body;
    const waiting = client(`${pdm.url}/api/v1`, token).post('/jobs/claim', {
      workerId: 'w',
      environment: { engine: 'occt' },
      waitSeconds: 30,
    });
    while (!(await pdm.admin.get(`/tokens/${id}`)).body.lastUsedAt);
    await pdm.admin.delete(`/tokens/${id}`);
    const draft = (await pdm.editor.post('/documents', { name: 'Waited for', kind: 'model' })).body.drafts[0].id;
    await pdm.editor.upload(draft, 'source', 'waited for');
    expect((await waiting).status).toBe(401);
    expect((await pdm.editor.get(`/versions/${draft}/jobs`)).body.items).toMatchObject([
      { status: 'waiting', attempt: 0 },
    ]);
  });
});

/** What is at the ends of an answer. */
function leavesOf(value: unknown): unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : [value];
}

test('a token that is unknown, malformed or of another scheme is no token', async () => {
  const { viewer } = pdm.tokens;
  const bad = ['Bearer', 'Bearer x', `Bearer ${viewer}x`, `Bearer ${viewer.slice(0, -1)}`, `Basic ${viewer}`, viewer];
  for (const authorization of bad) expect((await pdm.anonymous.get('/me', { authorization })).status).toBe(401);
  expect((await pdm.anonymous.get(`/me?token=${viewer}`)).status).toBe(401);
});

test('ten wrong tokens, and an address waits; whoever was in before stays in', async () => {
  const wrong = (i: number) => client(`${pdm.url}/api/v1`, `pdm_guessed0_${String(i).padStart(38, '0')}`);
  const answers = [];
  for (let i = 0; i < 12; i++) answers.push(await wrong(i).get('/me'));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401, 429]));
  const last = answers.at(-1);
  expect(last?.body).toMatchObject({ status: 429, code: 'rate_limited' });
  expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(0);
  const onGraphql = await wrong(13).graphql('{ me { id } }');
  expect([onGraphql.status, Number(onGraphql.headers.get('retry-after')) > 0]).toEqual([429, true]);
  expect((await pdm.viewer.get('/me')).status).toBe(200);
  expect((await pdm.anonymous.get('/me')).status).toBe(401);
});
