// The access matrix: requests every route and every GraphQL root field as every identity
// and expects the outcome in access-matrix.tsv.
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
import { readRouteOf } from '../../rest-adapter/if-match.ts';
import { ROUTES, SERVICE_ROUTES } from '../../rest-adapter/routes.ts';
import { SCHEMA } from '../../rest-adapter/testing/rest-app.ts';
import type { ErrorCode } from '../../subgraphs/core/domain/errors.ts';
import { COLUMNS, MATRIX, type MatrixRow } from '../support/access-matrix.ts';
import { client } from '../support/client.ts';
import {
  createIdentities as createCast,
  IDENTITIES,
  type Identity,
  type TestIdentities,
} from '../support/identities.ts';
import { type Issuer, startIssuer } from '../support/issuer.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';
import { resultFile } from '../support/result-files.ts';

let issuer: Issuer;
let pdm: Pdm;
let cast: TestIdentities;
beforeAll(async () => {
  issuer = await startIssuer();
  const oidc = { OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: issuer.audience, OIDC_ROLE_CLAIM: 'role' };
  pdm = await startPdm({ settings: { PDM_JOB_LEASE_SECONDS: '3600', ...oidc } });
  cast = await createCast(pdm, issuer);
});
afterAll(async () => {
  await pdm.close();
  await issuer.stop();
});

test('lists every route and root field in the matrix, and nothing else', () => {
  const routes = [...ROUTES.flatMap(({ routes }) => routes), ...SERVICE_ROUTES].map(
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
/** Writes whose resource has no ETag for some of the users who may write it, with the reason. */
const UNTAGGED: Record<string, string> = {
  'POST /versions/:id/runs': 'the draft belongs to a model, which has no runs to read',
  'DELETE /tokens/:id': 'only its user can read a token',
};
const CONDITIONAL_ROWS = MATRIX.filter(({ what }) => {
  const route = ALL.find(({ method, path }) => `${method} ${path}` === what.split('?')[0]);
  return route && route.method !== 'GET' && !UNTAGGED[what] && readRouteOf(route, ALL) !== undefined;
});

// Runs before the tests below, which change the resources.
test.each(CONDITIONAL_ROWS)('$what of $of checks permission before If-Match', async (row) => {
  // Whether an authorized identity holds the job is checked only when the job is written.
  const byRole = IDENTITIES.filter(
    (identity) => !(row.what.startsWith('POST /jobs/') && (identity === 'admin' || isWorker(identity))),
  );
  const refused = byRole.filter((identity) => /^40[13]$/.test(row.cells[identity]));
  const people: Identity[] = ['viewer', 'editor', 'admin'];
  const callers = [...refused, ...people.filter((identity) => !refused.includes(identity))];
  const outcomes = await Promise.all(
    callers.map(async (identity) => [
      identity,
      await sendRest(row, identity, cast.records, { 'if-match': '"former"' }),
    ]),
  );
  expect(outcomes).toEqual(
    callers.map((identity) => [identity, refused.includes(identity) ? row.cells[identity] : '412']),
  );
});

describe.each(MATRIX)('$what of $of', (row) => {
  test('admits exactly the identities that the matrix names', async () => {
    const send = /^(query|mutation) /.test(row.what) ? sendGraphql : sendRest;
    const outcomeFor = async (identity: Identity) => {
      const cell = row.cells[identity];
      const outcome = await send(row, identity, cell === 'may' ? nothing : cast.records);
      return [identity, cell === 'may' && outcome === '404' ? 'may' : outcome];
    };
    // Refused identities go first: if one of them were admitted by mistake, the requests of the others would show it.
    const [refused, admitted] = [
      IDENTITIES.filter((identity) => /^\d/.test(row.cells[identity])),
      IDENTITIES.filter((identity) => !/^\d/.test(row.cells[identity])),
    ];
    const outcomes = await Promise.all(refused.map(outcomeFor));
    for (const identity of admitted) outcomes.push(await outcomeFor(identity));
    expect(Object.fromEntries(outcomes)).toEqual(row.cells);
    if (/complete|fail|give-?back/i.test(row.what)) await cast.claimForHolder();
  });
});

const nothing: Record<string, string> = new Proxy({}, { get: (_target, name) => `${String(name)}_nothing` });

async function sendRest(
  row: MatrixRow,
  identity: Identity,
  things: Record<string, string>,
  extraHeaders: Record<string, string> = {},
): Promise<string> {
  const [method = '', path = ''] = row.what.split(' ');
  const idOf = (name: string) => (name === 'kind' ? (row.of.kind ?? '') : (things[row.of[name] ?? ''] ?? ''));
  const address = fillPlaceholders(
    path.replace(/:(\w+)/g, (_, name: string) => idOf(name)),
    identity,
    things,
  );
  const upload = path.includes('?kind=');
  const asWorker = upload && (!path.endsWith('source') || isWorker(identity));
  const headers: Record<string, string> = {
    ...extraHeaders,
    ...bearer(identity),
    ...(row.with ? { 'content-type': 'application/json' } : {}),
    ...(asWorker ? { 'x-generator': 'test/1', 'x-input-sha256': cast.records.sha256 ?? '' } : {}),
  };
  const body = upload
    ? fileOf(path.split('kind=')[1])
    : row.with
      ? fillPlaceholders(row.with, identity, things)
      : undefined;
  const response = await fetch(`${pdm.url}/api/v1${address}`, { method, headers, body });
  // A job log stream lasts as long as its job.
  await (response.headers.get('content-type') === 'text/event-stream'
    ? response.body?.cancel()
    : response.arrayBuffer());
  return response.ok ? 'ok' : String(response.status);
}

async function sendGraphql(row: MatrixRow, identity: Identity, things: Record<string, string>): Promise<string> {
  const [kind = '', name = ''] = row.what.split(' ');
  const field = (kind === 'query' ? SCHEMA.getQueryType() : SCHEMA.getMutationType())?.getFields()[name];
  if (!field) throw new Error(`There is no ${row.what}`);
  const ids = Object.fromEntries(Object.entries(row.of).map(([argument, thing]) => [argument, things[thing]]));
  const variables: Record<string, unknown> = {
    ...ids,
    ...JSON.parse(fillPlaceholders(row.with || '{}', identity, things)),
  };
  const upload = field.args.find(({ type }) => String(getNamedType(type)) === 'Upload');
  if (upload && isWorker(identity)) Object.assign(variables, { generator: 'test/1', inputSha256: cast.records.sha256 });
  const provided = field.args.filter((argument) => argument.name in variables || argument === upload);
  const declared = provided.map((argument) => `$${argument.name}: ${argument.type}`).join(', ');
  const passed = provided.map((argument) => `${argument.name}: $${argument.name}`).join(', ');
  const query = `${kind} Call${declared && `(${declared})`} { ${name}${passed && `(${passed})`} ${isCompositeType(getNamedType(field.type)) ? '{ __typename }' : ''} }`;
  return outcomeOf(await graphql(identity, query, variables, upload?.name));
}

const fileOf = (kind = '') => new Uint8Array(resultFile(kind, 'a file'));

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
  form.set('0', new Blob([fileOf(String(variables.kind))]), 'file.bin');
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

// Workers name the generator and the input of every file they upload.
const isWorker = (identity: Identity): boolean => ['worker', 'holder', 'other'].includes(identity);

const bearer = (identity: Identity): Record<string, string> => {
  const token = cast.tokens[identity];
  return token ? { authorization: `Bearer ${token}` } : {};
};

function fillPlaceholders(text: string, identity: Identity, things: Record<string, string>): string {
  return text.replace(/\$(\w+)/g, (_, name: string) => (name === 'identity' ? identity : String(things[name])));
}

describe('a worker that holds a job', () => {
  const fieldsOf = (type: string) => Object.values((SCHEMA.getType(type) as GraphQLObjectType).getFields());
  const isLink = (field: GraphQLField<unknown, unknown>) => isObjectType(getNamedType(field.type));

  test.each([
    ['Version', 'jobContext(id: $id) { job { version {', 'job'],
    ['Document', 'jobContext(id: $id) { job { document {', 'job'],
    ['Version', 'download(artifactId: $id) { version {', 'source'],
  ] as const)('gives a worker no field of the %s that it reaches through %s', async (type, path, thing) => {
    for (const field of fieldsOf(type).filter(({ name }) => name !== 'id')) {
      const required = field.args.filter(isRequiredArgument).map(({ name }) => `${name}: "source"`);
      const selection = `${field.name}${required.length ? `(${required.join(', ')})` : ''} ${isCompositeType(getNamedType(field.type)) ? '{ __typename }' : ''}`;
      const { body } = await graphql(
        'holder',
        `query Walk($id: ID!) { ${path} ${selection} ${'}'.repeat(path.split('{').length)}`,
        {
          id: cast.records[thing],
        },
      );
      const codes = body.errors?.map(({ extensions }) => extensions.code);
      expect([field.name, codes, leavesOf(body.data)]).toEqual([field.name, ['forbidden'], [null]]);
    }
  });

  test('reaches no other record types', () => {
    expect(
      fieldsOf('Job')
        .filter(isLink)
        .map(({ name }) => name),
    ).toEqual(['document', 'error', 'log', 'progress', 'run', 'version']); // `run` rejects workers
    expect(
      fieldsOf('Artifact')
        .filter(isLink)
        .map(({ name }) => name),
    ).toEqual(['createdBy', 'job', 'version']); // `job` rejects workers
  });

  test('receives refusals that do not reveal other jobs and files', async () => {
    const refusals = await Promise.all([
      graphql('worker', 'query Q($id: ID!) { jobContext(id: $id) { job { id } } }', { id: cast.records.job }),
      graphql('worker', 'query Q($id: ID) { download(versionId: $id, kind: "source") { id } }', {
        id: cast.records.draft,
      }),
      graphql('worker', 'query Q($id: ID) { download(versionId: $id, kind: "source") { id } }', { id: 'ver_nothing' }),
    ]);
    const extensions = refusals.flatMap(({ body }) => body.errors?.map(({ extensions }) => extensions));
    expect(extensions).toEqual([
      { code: 'not_your_job', jobId: cast.records.job },
      { code: 'not_your_job' },
      { code: 'not_your_job' },
    ]);
  });

  test('receives 401 for a claim whose token was revoked while it waited', async () => {
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

/** Returns the leaf values of a response. */
function leavesOf(value: unknown): unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : [value];
}

test('rejects a token that is unknown, malformed or sent with another scheme', async () => {
  const { viewer } = pdm.tokens;
  const bad = ['Bearer', 'Bearer x', `Bearer ${viewer}x`, `Bearer ${viewer.slice(0, -1)}`, `Basic ${viewer}`, viewer];
  for (const authorization of bad) expect((await pdm.anonymous.get('/me', { authorization })).status).toBe(401);
  expect((await pdm.anonymous.get(`/me?token=${viewer}`)).status).toBe(401);
});

test('slows down an address after ten wrong tokens, but not its valid tokens', async () => {
  const wrong = (i: number) => client(`${pdm.url}/api/v1`, `pdm_guessed0_${String(i).padStart(38, '0')}`);
  for (let i = 0; i < 11; i++) expect((await wrong(i).get('/me')).status).toBe(401);
  const ended: string[] = [];
  const slowed = [wrong(11).get('/me'), wrong(12).graphql('{ me { id } }')];
  const wait = Promise.all(slowed.map((request) => request.then(({ status }) => ended.push(String(status)))));
  const { token } = (await pdm.admin.post('/tokens', { name: 'new', role: 'viewer' })).body;
  expect((await client(`${pdm.url}/api/v1`, token).get('/me')).status).toBe(200);
  ended.push('new token');
  await wait;
  expect(ended).toEqual(['new token', '401', '401']);
});
