// REST and GraphQL tell the same story: each route of the table is asked, and so is its operation, by /graphql. What they
// answer is the same record, what they refuse is refused with the same code, words and data. A new route is here by itself:
// its row of the access matrix says what it is asked with.
import { createHash } from 'node:crypto';
import { print } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bodyOf, picked } from '../../rest-adapter/answer.ts';
import type { Place, Route } from '../../rest-adapter/route.ts';
import { ROUTES } from '../../rest-adapter/routes.ts';
import { MATRIX, type MatrixRow } from '../support/access-matrix.ts';
import { type Cast, cast, type Identity } from '../support/identities.ts';
import { type Issuer, startIssuer } from '../support/issuer.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';

let issuer: Issuer;
let pdm: Pdm;
let on: Cast;
beforeAll(async () => {
  issuer = await startIssuer();
  pdm = await startPdm({
    settings: {
      PDM_JOB_LEASE_SECONDS: '3600',
      OIDC_ISSUER: issuer.url,
      OIDC_AUDIENCE: issuer.audience,
      OIDC_ROLE_CLAIM: 'role',
    },
  });
  on = await cast(pdm, issuer);
});
afterAll(async () => {
  await pdm.close();
  await issuer.down();
});

const ALL = ROUTES.flatMap(({ routes }) => routes);
/** What cannot be compared, and why. */
const APART: Record<string, string> = {
  'GET /jobs/:id/log/stream': 'the answer is a stream, of which the operation is one part',
  'GET /events/stream': 'the answer is a stream, of which the operation is one part',
  'GET /audit/verify': 'each time it is asked the log may be verified anew, and is longer',
};
const CASES = MATRIX.flatMap((row) => {
  const route = ALL.find(({ method, path }) => `${method} ${path}` === row.what.split('?')[0]);
  return route && !APART[`${route.method} ${route.path}`]
    ? [{ what: row.what, of: Object.values(row.of).join(' '), row, route }]
    : [];
});

test('every route is compared, or it is said why not', () => {
  const compared = new Set(CASES.map(({ route: { method, path } }) => `${method} ${path}`));
  const left = ALL.map(({ method, path }) => `${method} ${path}`).filter((name) => !compared.has(name));
  expect(left.filter((name) => !APART[name])).toEqual([]);
  expect(CASES.flatMap(({ row, route }) => (storiesOf(row, route).length ? [] : [row.what]))).toEqual([]);
});

test.each(CASES)('$what of $of', async ({ row, route }) => {
  for (const [story, identity, things] of storiesOf(row, route)) {
    const asked = requestOf(row, route, things());
    const [rest, graph] = [await askRest(route, asked, identity), await askGraph(route, asked, identity)];
    if ('nothing' in graph) expect([story, rest]).toMatchObject([story, { refused: 'not_found' }]);
    else expect([story, graph]).toEqual([story, rest]);
  }
});

const CHANGES = CASES.flatMap(({ row, route }) =>
  route.notNull.map((name) => ({ what: `${row.what} of ${Object.values(row.of).join(' ')}`, name, row, route })),
);

test.each(CHANGES)('$what cannot clear $name', async ({ name, row, route }) => {
  const asked = requestOf({ ...row, with: JSON.stringify({ [name]: null }) }, route, on.things);
  const refused = {
    refused: 'validation_failed',
    words: `${name} must not be null.`,
    data: { errors: [{ path: `/${name}`, message: 'must not be null' }] },
  };
  expect([await askRest(route, asked, 'admin'), await askGraph(route, asked, 'admin')]).toEqual([refused, refused]);
});

type Story = readonly [story: string, identity: Identity, things: () => Readonly<Record<string, string>>];

// Reads are told by whoever may read; writes only as refusals, for what was written cannot be written again.
function storiesOf({ cells, of }: MatrixRow, { method }: Route): Story[] {
  const real = () => on.things;
  const able = (['admin', 'holder', 'editor'] as const).find((identity) => ['ok', 'may'].includes(cells[identity]));
  const refused = (['viewer', 'worker', 'admin'] as const).find((identity) => cells[identity] === '403');
  const stories: Story[] = [];
  if (able && method === 'GET' && cells[able] === 'ok') stories.push(['what there is', able, real]);
  if (able && Object.keys(of).length > 0) stories.push(['what there is not', able, () => NOTHING]);
  if (refused) stories.push(['what is not allowed', refused, real]);
  return stories;
}

const NOTHING: Record<string, string> = new Proxy({}, { get: (_target, name) => `${String(name)}_nothing` });

type Asked = {
  path: string;
  body: Record<string, unknown> | undefined;
  variables: Record<string, unknown>;
  headers: Record<string, string>;
};

function requestOf({ what, of, with: text }: MatrixRow, route: Route, things: Readonly<Record<string, string>>): Asked {
  const filled = (template: string) => template.replace(/\$(\w+)/g, (_, name: string) => String(things[name]));
  const named = (name: string) => (name === 'kind' ? String(of.kind) : String(things[of[name] ?? '']));
  const path = filled(what.replace(/^\w+ /, '').replace(/:(\w+)/g, (_, name: string) => named(name)));
  const query = new URLSearchParams(path.split('?')[1]);
  const body: Record<string, unknown> | undefined = text ? JSON.parse(filled(text)) : undefined;
  const worker = takesFile(route) ? { generator: 'test/1', inputSha256: String(things.sha256) } : {};
  const from = (name: string, place: Place): unknown => {
    if (place === 'path') return named(name);
    if (place === 'query') return query.get(name) ?? undefined;
    if (place === 'body') return body ?? {};
    if (place === 'origin') return pdm.url;
    if (place.startsWith('header')) return (worker as Record<string, string>)[name];
    const given = body?.[name];
    return given === undefined ? undefined : (route.also[name]?.(given) ?? given);
  };
  const variables = Object.fromEntries(Object.entries(route.places).map(([name, place]) => [name, from(name, place)]));
  const headers = Object.entries(route.places).flatMap(([name, place]) =>
    place.startsWith('header') ? [[place.slice(7), variables[name]]] : [],
  );
  return { path, body, variables, headers: Object.fromEntries(headers.filter(([, value]) => value !== undefined)) };
}

const takesFile = ({ places }: Route): boolean => Object.values(places).includes('file');

type Told = { answer: unknown } | { refused: string; words: string; data: object } | { nothing: true };

async function askRest(route: Route, { path, body, headers }: Asked, identity: Identity): Promise<Told> {
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
      answer: route.send === 'file' ? createHash('sha256').update(bytes).digest('hex') : JSON.parse(bytes.toString()),
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
  return { refused: code, words: detail, data };
}

async function askGraph(route: Route, { variables }: Asked, identity: Identity): Promise<Told> {
  const authorization = `Bearer ${on.tokens[identity]}`;
  const file = Object.keys(route.places).find((name) => route.places[name] === 'file');
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
    return { refused: errors[0].extensions.code, words: errors[0].message, data: without(errors[0].extensions) };
  const found = picked(route, data) as { sha256: string } | null;
  if (found === null) return { nothing: true };
  return { answer: route.send === 'file' ? found.sha256 : bodyOf(route, found) };
}

const without = ({ code: _, ...data }: { code: string }): object => data;
