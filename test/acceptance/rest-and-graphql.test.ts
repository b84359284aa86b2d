// Compares REST and GraphQL, with both executors of the gateway: calls each route of the table and its operation through
// /graphql. Both return the same record, or the same error code, message and data. New routes are included
// automatically: their row of the access matrix has the parameters.
import { createHash } from 'node:crypto';
import { print } from 'graphql';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { pickData, responseBody } from '../../rest-adapter/response.ts';
import type { Route, VariableSource } from '../../rest-adapter/route.ts';
import { ROUTES } from '../../rest-adapter/routes.ts';
import { MATRIX, type MatrixRow } from '../support/access-matrix.ts';
import { createIdentities, type Identity, type TestIdentities } from '../support/identities.ts';
import { type Issuer, startIssuer } from '../support/issuer.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';
import { type Receiver, receiver } from '../support/receiver.ts';

let issuer: Issuer;
let hook: Receiver;
let pdm: Pdm;
let on: TestIdentities;
const ALL = ROUTES.flatMap(({ routes }) => routes);
/** Routes that cannot be compared, with the reason. */
const NOT_COMPARED: Record<string, string> = {
  'GET /jobs/:id/log/stream': 'the response is a stream, of which the operation returns one part',
  'GET /events/stream': 'the response is a stream, of which the operation returns one part',
  'GET /audit/verify': 'each request may verify the log again and records an audit event',
};
const CASES = MATRIX.flatMap((row) => {
  const route = ALL.find(({ method, path }) => `${method} ${path}` === row.what.split('?')[0]);
  return route && !NOT_COMPARED[`${route.method} ${route.path}`]
    ? [{ what: row.what, of: Object.values(row.of).join(' '), row, route }]
    : [];
});

test('compares every route or has a reason not to', () => {
  const compared = new Set(CASES.map(({ route: { method, path } }) => `${method} ${path}`));
  const left = ALL.map(({ method, path }) => `${method} ${path}`).filter((name) => !compared.has(name));
  expect(left.filter((name) => !NOT_COMPARED[name])).toEqual([]);
  expect(CASES.flatMap(({ row, route }) => (scenariosOf(row, route).length ? [] : [row.what]))).toEqual([]);
});

const CHANGES = CASES.flatMap(({ row, route }) =>
  route.notNull.map((name) => ({ what: `${row.what} of ${Object.values(row.of).join(' ')}`, name, row, route })),
);

describe.each(['compiled', 'apollo'])('with the executor %s', (executor) => {
  beforeAll(async () => {
    [issuer, hook] = await Promise.all([startIssuer(), receiver()]);
    pdm = await startPdm({
      settings: {
        GATEWAY_EXECUTOR: executor,
        PDM_JOB_LEASE_SECONDS: '3600',
        OIDC_ISSUER: issuer.url,
        OIDC_AUDIENCE: issuer.audience,
        OIDC_ROLE_CLAIM: 'role',
        PDM_WEBHOOKS_ALLOWED_NETWORKS: '127.0.0.1',
      },
    });
    on = await createIdentities(pdm, issuer, { webhookUrl: hook.url });
    // An attempt between two reads would change the delivery.
    const delivery = async () => (await pdm.admin.get(`/webhooks/${on.records.webhook}/deliveries`)).body.items[0];
    await vi.waitFor(async () => expect((await delivery()).status).toBe('delivered'), 30_000);
  });
  afterAll(async () => {
    await pdm.close();
    await Promise.all([issuer.stop(), hook.close()]);
  });

  test.each(CASES)('returns the same through both APIs: $what of $of', async ({ row, route }) => {
    for (const [scenario, identity, records] of scenariosOf(row, route)) {
      const request = requestOf(row, route, records());
      const [rest, graph] = [await sendRest(route, request, identity), await sendGraphql(route, request, identity)];
      if ('missing' in graph) expect([scenario, rest]).toMatchObject([scenario, { code: 'not_found' }]);
      else expect([scenario, graph]).toEqual([scenario, rest]);
    }
  });

  test.each(CHANGES)('rejects null for the required field $name in $what', async ({ name, row, route }) => {
    const request = requestOf({ ...row, with: JSON.stringify({ [name]: null }) }, route, on.records);
    const refused = {
      code: 'validation_failed',
      message: `${name} must not be null.`,
      data: { errors: [{ path: `/${name}`, message: 'must not be null' }] },
    };
    expect([await sendRest(route, request, 'admin'), await sendGraphql(route, request, 'admin')]).toEqual([
      refused,
      refused,
    ]);
  });
});

type Scenario = readonly [scenario: string, identity: Identity, records: () => Readonly<Record<string, string>>];

// Reads run as identities with access. Writes are compared only when they are rejected, because a successful write
// cannot be repeated.
function scenariosOf({ cells, of }: MatrixRow, { method }: Route): Scenario[] {
  const real = () => on.records;
  const able = (['admin', 'holder', 'editor'] as const).find((identity) => ['ok', 'may'].includes(cells[identity]));
  const refused = (['viewer', 'worker', 'admin'] as const).find((identity) => cells[identity] === '403');
  const scenarios: Scenario[] = [];
  if (able && method === 'GET' && cells[able] === 'ok') scenarios.push(['existing record', able, real]);
  if (able && Object.keys(of).length > 0) scenarios.push(['missing record', able, () => MISSING]);
  if (refused) scenarios.push(['forbidden', refused, real]);
  return scenarios;
}

const MISSING: Record<string, string> = new Proxy({}, { get: (_target, name) => `${String(name)}_missing` });

type ApiRequest = {
  path: string;
  body: Record<string, unknown> | undefined;
  variables: Record<string, unknown>;
  headers: Record<string, string>;
};

function requestOf(
  { what, of, with: text }: MatrixRow,
  route: Route,
  records: Readonly<Record<string, string>>,
): ApiRequest {
  const filled = (template: string) => template.replace(/\$(\w+)/g, (_, name: string) => String(records[name]));
  const named = (name: string) => (name === 'kind' ? String(of.kind) : String(records[of[name] ?? '']));
  const path = filled(what.replace(/^\w+ /, '').replace(/:(\w+)/g, (_, name: string) => named(name)));
  const query = new URLSearchParams(path.split('?')[1]);
  const body: Record<string, unknown> | undefined = text ? JSON.parse(filled(text)) : undefined;
  const worker = takesFile(route) ? { generator: 'test/1', inputSha256: String(records.sha256) } : {};
  const from = (name: string, place: VariableSource): unknown => {
    if (place === 'path') return named(name);
    if (place === 'query') return query.get(name) ?? undefined;
    if (place === 'body') return body ?? {};
    if (place === 'origin') return pdm.url;
    if (place.startsWith('header')) return (worker as Record<string, string>)[name];
    const value = body?.[name];
    return value === undefined ? undefined : (route.normalize[name]?.(value) ?? value);
  };
  const variables = Object.fromEntries(Object.entries(route.sources).map(([name, place]) => [name, from(name, place)]));
  const headers = Object.entries(route.sources).flatMap(([name, place]) =>
    place.startsWith('header') ? [[place.slice(7), variables[name]]] : [],
  );
  return { path, body, variables, headers: Object.fromEntries(headers.filter(([, value]) => value !== undefined)) };
}

const takesFile = ({ sources: places }: Route): boolean => Object.values(places).includes('file');

type Outcome = { result: unknown } | { code: string; message: string; data: object } | { missing: true };

async function sendRest(route: Route, { path, body, headers }: ApiRequest, identity: Identity): Promise<Outcome> {
  const response = await fetch(`${pdm.url}/api/v1${path}`, {
    method: route.method,
    headers: {
      ...headers,
      ...(body ? { 'content-type': 'application/json' } : {}),
      authorization: `Bearer ${on.tokens[identity]}`,
    },
    body: takesFile(route) ? 'a file' : body && JSON.stringify(body),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  if (response.ok)
    return {
      result: route.send === 'file' ? createHash('sha256').update(bytes).digest('hex') : JSON.parse(bytes.toString()),
    };
  const {
    code,
    detail,
    type: _,
    title: _title,
    status: _status,
    instance: _instance,
    requestId: _id,
    ...data
  } = JSON.parse(bytes.toString());
  return { code, message: detail, data };
}

async function sendGraphql(route: Route, { variables }: ApiRequest, identity: Identity): Promise<Outcome> {
  const authorization = `Bearer ${on.tokens[identity]}`;
  const file = Object.keys(route.sources).find((name) => route.sources[name] === 'file');
  const operations = JSON.stringify({
    query: print(route.operation),
    variables: file ? { ...variables, [file]: null } : variables,
  });
  const form = new FormData();
  form.set('operations', operations);
  form.set('map', JSON.stringify({ 0: [`variables.${file}`] }));
  form.set('0', new Blob(['a file']), 'file.bin');
  const type: Record<string, string> = file
    ? { 'apollo-require-preflight': '1' }
    : { 'content-type': 'application/json' };
  const response = await fetch(`${pdm.url}/graphql`, {
    method: 'POST',
    headers: { authorization, ...type },
    body: file ? form : operations,
  });
  const { data, errors } = JSON.parse(await response.text());
  if (errors)
    return { code: errors[0].extensions.code, message: errors[0].message, data: without(errors[0].extensions) };
  const found = pickData(route, data) as { sha256: string } | null;
  if (found === null) return { missing: true };
  return { result: route.send === 'file' ? found.sha256 : responseBody(route, found) };
}

const without = ({ code: _, ...data }: { code: string }): object => data;
