// No request makes a 5xx: every route, with what fits, what nearly fits, and what is meant to break something.
import fc from 'fast-check';
import { type GraphQLInputType, getNullableType, isEnumType, isInputObjectType, isListType, isNonNullType } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { variablesOf } from '../../rest-adapter/operation.ts';
import type { Route } from '../../rest-adapter/route.ts';
import { ROUTES } from '../../rest-adapter/routes.ts';
import { SCHEMA } from '../../rest-adapter/testing/rest-app.ts';
import { CATALOGUE } from '../../subgraphs/core/domain/errors.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';

// more of them: PDM_HOSTILE_RUNS=10000
const RUNS = Number(process.env.PDM_HOSTILE_RUNS ?? 300);

let pdm: Pdm;
// the ids of a document and all that was made of it, for each kind
const groups: string[][] = [];
beforeAll(async () => {
  pdm = await startPdm();
  for (const kind of ['model', 'model', 'assembly', 'code']) groups.push(await seeded(kind));
});
afterAll(() => pdm.close());

async function seeded(kind: string): Promise<string[]> {
  const { id, number, drafts, workspaces } = (await pdm.editor.post('/documents', { name: 'Bracket', kind })).body;
  const { body: artifact } = await pdm.editor.upload(drafts[0].id, kind === 'model' ? 'source' : 'attachment.note', `content of ${id}`);
  const { body: version } = await pdm.editor.post(`/workspaces/${workspaces[0].id}/versions`);
  const { body: folder } = await pdm.editor.post('/folders', { name: `Folder of ${id}` });
  const jobs = (await pdm.editor.get(`/versions/${drafts[0].id}/jobs`)).body.items;
  return [id, number, drafts[0].id, workspaces[0].id, artifact.id, version.id, folder.id, ...jobs.map(({ id }: { id: string }) => id)];
}

const TRAPS = [
  '',
  ' ',
  '$ne',
  '../..',
  '%00',
  '\0',
  '__proto__',
  'constructor',
  '{"$gt":""}',
  'pdm://documents/x@v1',
  '-1',
  '1e309',
  '٣',
  'İ',
  '\ud800',
];
const LONG = ['a\u0301'.repeat(100), '0'.repeat(5000), '(a+)+$', '[', '\\', '"', 'attachment.x', 'unfiled', 'V1', 'main', '2026-01-01'];
const trap = fc.constantFrom(...TRAPS, ...LONG);
// an id that is there, mostly of what the name of the field or the path asks for
const PREFIX: Record<string, string> = {
  documents: 'doc',
  ids: 'doc',
  folders: 'fld',
  folderId: 'fld',
  parentId: 'fld',
  workspaces: 'wsp',
  artifacts: 'art',
  jobs: 'job',
};
const oneKnown = (hint: string) =>
  fc.tuple(fc.nat(1000), fc.nat(4)).map(([i, any]) => {
    const fitting = groups.flat().filter((id) => any === 0 || id.startsWith(PREFIX[hint] ?? 'ver'));
    return fitting[i % fitting.length] ?? '';
  });
const anyValue = fc.oneof(trap, fc.jsonValue({ maxDepth: 3 }), fc.double(), fc.dictionary(trap, fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 }));

/** Mostly what a type accepts, now and then anything. */
function someOf(type: GraphQLInputType, hint: string): fc.Arbitrary<unknown> {
  const fitting = fittingOf(getNullableType(type), hint);
  const absent = isNonNullType(type) ? [] : [{ weight: 2, arbitrary: fc.constant(null) }];
  return fc.oneof({ weight: 12, arbitrary: fitting }, ...absent, { weight: 1, arbitrary: anyValue });
}

function fittingOf(type: GraphQLInputType, hint: string): fc.Arbitrary<unknown> {
  if (isListType(type)) return fc.array(someOf(type.ofType, hint), { maxLength: 3 });
  if (isEnumType(type)) return fc.constantFrom(...type.getValues().map(({ name }) => name));
  if (isInputObjectType(type)) return partly(Object.values(type.getFields()).map(({ name, type }) => ({ name, type })));
  const name = String(type);
  if (name === 'ID') return oneKnown(hint);
  if (name === 'Int') return fc.oneof(fc.integer({ min: -1, max: 3 }), fc.integer());
  if (name === 'Float') return fc.double({ noNaN: true, noDefaultInfinity: true });
  if (name === 'Boolean') return fc.boolean();
  if (name === 'JSON') return fc.jsonValue({ maxDepth: 3 });
  return fc.oneof(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }), oneKnown(hint), trap);
}

/** An object with most of these fields. */
function partly(fields: readonly { name: string; type: GraphQLInputType }[]): fc.Arbitrary<Record<string, unknown>> {
  const values = fc.record(Object.fromEntries(fields.map(({ name, type }) => [name, someOf(type, name)])), { noNullPrototype: true });
  const left = fc.record(Object.fromEntries(fields.map(({ name, type }) => [name, fc.nat(isNonNullType(type) ? 20 : 3)])), { noNullPrototype: true });
  return fc.tuple(values, left).map(([value, keep]) => Object.fromEntries(Object.entries(value).filter(([name]) => Number(keep[name]) > 0)));
}

type Sent = {
  route: Route;
  path: Record<string, unknown>;
  query: Record<string, unknown>;
  body: Record<string, unknown>;
  stray: string | null;
  role: keyof Pdm['tokens'];
};

const sent: fc.Arbitrary<Sent> = fc.constantFrom(...ROUTES.flatMap(({ routes }) => routes)).chain((route) => {
  const variables = variablesOf(route.operation, SCHEMA).map((variable) => ({ ...variable, place: String(route.places[variable.name]) }));
  const at = (place: string) => variables.filter((variable) => variable.place.startsWith(place));
  const [whole] = variables.filter(({ place }) => place === 'body');
  return fc.record({
    route: fc.constant(route),
    path: fc.record(
      Object.fromEntries(
        at('path').map(({ name }) => [
          name,
          name === 'kind'
            ? fc.constantFrom('source', 'attachment.note', 'x')
            : fc.oneof({ weight: 9, arbitrary: oneKnown(String(route.path.split('/')[1])) }, trap),
        ]),
      ),
      { noNullPrototype: true },
    ),
    query: partly(at('query')),
    body: whole ? (someOf(whole.type, whole.name) as fc.Arbitrary<Record<string, unknown>>) : partly(at('body.*')),
    stray: fc.oneof({ weight: 20, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: trap }),
    role: fc.constantFrom('editor', 'editor', 'editor', 'admin', 'admin', 'viewer', 'worker'),
  });
});

test('no request makes a 5xx, and every refusal is a problem of the catalogue', async () => {
  const met = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(sent, async ({ route, path, query, body, stray, role }) => {
      const below = route.path.replace(/:(\w+)/g, (_, name: string) => inUrl(path[name]) || 'x');
      const parameters = [...Object.entries(query), ...(stray === null ? [] : [[stray, stray]])].map(
        ([name, value]) => `${inUrl(name)}=${inUrl(value)}`,
      );
      const takesFile = Object.values(route.places).includes('file');
      const takesBody = route.method !== 'GET' && route.method !== 'DELETE';
      const answer = await fetch(`${pdm.url}/api/v1${below}?${parameters.join('&')}`, {
        method: route.method,
        headers: { authorization: `Bearer ${pdm.tokens[role]}`, ...(takesBody && !takesFile ? { 'content-type': 'application/json' } : {}) },
        body: takesBody ? JSON.stringify(body) : undefined,
      });
      const text = await answer.text();
      if (answer.status === 204 && route.path === '/documents/:id') {
        const gone = groups.findIndex((group) => group.includes(String(path.id).toUpperCase()) || group.includes(String(path.id)));
        groups[gone] = await seeded('model');
      }
      met.set(answer.status, (met.get(answer.status) ?? 0) + 1);
      expect(answer.status, text).toBeLessThan(500);
      if (answer.status < 400) return;
      expect(answer.headers.get('content-type')).toBe('application/problem+json');
      const problem = JSON.parse(text);
      expect([problem.status, Object.keys(CATALOGUE)]).toEqual([answer.status, expect.arrayContaining([problem.code])]);
    }),
    { numRuns: RUNS },
  );
  expect(({} as Record<string, unknown>).x).toBeUndefined();
  // it reached the rules, not only the checks of form
  for (const status of [200, 201, 400, 404]) expect([...met.keys()]).toContain(status);
  if (process.env.PDM_HOSTILE_RUNS) console.log(Object.fromEntries([...met].sort()));
}, 3_600_000);

// as much of a value as a URL can carry
function inUrl(value: unknown): string {
  return encodeURIComponent(
    String(typeof value === 'object' ? JSON.stringify(value) : value)
      .toWellFormed()
      .slice(0, 250),
  );
}
