// Reads every list of the route table page by page, in every order and direction: the pages together are the list, in
// order and without repetition, and the total is the number of items. New routes are included automatically by their
// `sort` declaration.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROUTES } from '../../rest-adapter/routes.ts';
import { collection } from '../../subgraphs/core/store/query/scope.ts';
import { addressOf, assemblies } from '../support/assemblies.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';

type Item = Record<string, string | number | null>;

let pdm: Pdm;
let paths: Record<string, { get?: { parameters: { name: string; schema: { enum?: string[]; default?: string } }[] } }>;
const records: Record<string, string> = {};
beforeAll(async () => {
  pdm = await startPdm({ settings: { PDM_ROLES: 'store,api', PDM_WEBHOOKS_ALLOWED_NETWORKS: '127.0.0.1' } });
  paths = (await pdm.admin.get('/openapi.json')).body.paths;
  await populate();
});
afterAll(() => pdm.close());

const LISTS = ROUTES.flatMap(({ routes }) => routes).filter(({ sources: places }) =>
  Object.values(places).includes('sort'),
);
/** The record for `:id`, by the first segment of the path or, for exceptions, by the whole path. */
const RECORDS: Record<string, string> = {
  documents: 'document',
  versions: 'draft',
  revisions: 'revision',
  webhooks: 'webhook',
  'GET /documents/:id/where-used': 'part',
  'GET /versions/:id/references': 'assembly',
  'GET /versions/:id/runs': 'code',
};
/** The sort field of an item, where it has another name or is not part of the item. */
const SORT_FIELDS: Record<string, (item: Item) => unknown> = {
  'GET /versions/:id/artifacts name': ({ fileName }) => fileName,
  'GET /jobs createdAt': ({ queuedAt }) => queuedAt,
  'GET /versions/:id/jobs createdAt': ({ queuedAt }) => queuedAt,
  'GET /documents/:id/versions number': ({ n }) => n,
  'GET /audit createdAt': ({ at }) => at,
  'GET /documents/:id/audit createdAt': ({ at }) => at,
  'GET /versions/:id/audit createdAt': ({ at }) => at,
  'GET /revisions/:id/audit createdAt': ({ at }) => at,
};
const NOT_VERIFIABLE = [
  'GET /documents/:id/workspaces main',
  'GET /versions/:id/references position',
  'GET /documents/:id/where-used createdAt',
];
/** Lists that have at most one page here. */
const SINGLE_PAGE = ['GET /versions/:id/runs', 'GET /webhooks/:id/deliveries', 'GET /revisions/:id/audit'];

test('returns every list in a default order with a total', () => {
  for (const { path, defaultSort, sources: places } of LISTS)
    expect([path, defaultSort, places.total]).toEqual([path, expect.any(String), 'query']);
  expect(LISTS.length).toBeGreaterThan(15);
});

describe.each(LISTS.map((row) => [`${row.method} ${row.path}`, row] as const))('%s', (what, { path, defaultSort }) => {
  const address = () => path.replace(':id', records[RECORDS[what] ?? RECORDS[path.split('/')[1] ?? ''] ?? ''] ?? '');
  const read = async (query: string) => {
    const answer = await pdm.admin.get(`${address()}?${query}`);
    expect([what, query, answer.status]).toEqual([what, query, 200]);
    return answer.body as { items: Item[]; nextCursor: string | null; total?: number };
  };
  const pages = async (query: string): Promise<Item[]> => {
    const items: Item[] = [];
    let cursor: string | null = null;
    do {
      const page = await read(`${query}&limit=2${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`);
      expect(page.items.length).toBeLessThanOrEqual(2);
      items.push(...page.items);
      cursor = page.nextCursor;
    } while (cursor);
    return items;
  };

  test('returns the whole list in pages, in each order and direction', async () => {
    const orders =
      paths[path.replace(':id', '{id}')]?.get?.parameters.find(({ name }) => name === 'sort')?.schema.enum ?? [];
    const whole = await read('limit=200');
    expect(whole.items.length).toBeGreaterThanOrEqual(SINGLE_PAGE.includes(what) ? 0 : 3);
    expect((await read(`limit=200&sort=${defaultSort}`)).items.map(keyOf)).toEqual(whole.items.map(keyOf));
    expect(orders).toContain(defaultSort);
    for (const order of orders.filter((name) => !name.startsWith('-'))) {
      const ascending = await pages(`sort=${order}`);
      const descending = await pages(`sort=-${order}`);
      expect(descending.map(keyOf)).toEqual(ascending.map(keyOf).toReversed());
      expect(ascending.map(keyOf).sort()).toEqual(whole.items.map(keyOf).sort());
      if (!NOT_VERIFIABLE.includes(`${what} ${order}`))
        expect(isAscending(ascending, SORT_FIELDS[`${what} ${order}`] ?? ((item) => item[order]))).toBe(true);
    }
  });

  test('returns the total on request', async () => {
    const whole = await read('limit=200');
    expect(whole).not.toHaveProperty('total');
    expect(await read('limit=1&total=true')).toMatchObject({ total: whole.items.length });
  });

  test('rejects an invalid page size, an unknown order, and a cursor of another order', async () => {
    for (const query of ['limit=0', 'limit=201', 'sort=colour', 'cursor=x'])
      expect([query, (await pdm.admin.get(`${address()}?${query}`)).status]).toEqual([query, 400]);
    const { nextCursor } = await read('limit=1');
    const [name = '', minus] = [defaultSort?.replace(/^-/, ''), defaultSort?.startsWith('-')];
    if (nextCursor)
      expect(
        (await pdm.admin.get(`${address()}?limit=1&sort=${minus ? '' : '-'}${name}&cursor=${nextCursor}`)).body.code,
      ).toBe('bad_cursor');
  });
});

test('returns all folders without a page size, and the address of the next page with one', async () => {
  expect((await pdm.viewer.get('/folders')).body).toMatchObject({ nextCursor: null, items: { length: 54 } });
  expect((await pdm.viewer.get('/folders?limit=50')).headers.get('link')).toMatch(
    /^<\/api\/v1\/folders\?limit=50&cursor=[\w-]+>; rel="next"$/,
  );
});

test('returns fifty items per page by default', async () => {
  const { body } = await pdm.admin.get('/audit');
  expect([body.items.length, typeof body.nextCursor]).toEqual([50, 'string']);
});

test('counts uses at all levels and rejects other orders', async () => {
  const all = `/documents/${records.part}/where-used?levels=all`;
  const { items } = (await pdm.viewer.get(`${all}&limit=200`)).body;
  expect((await pdm.viewer.get(`${all}&limit=1&total=true`)).body).toMatchObject({ total: items.length });
  expect((await pdm.viewer.get(`${all}&sort=createdAt`)).body).toMatchObject({
    code: 'validation_failed',
    errors: [{ path: '/sort' }],
  });
});

/** Creates several pages of each list, with equal names among them. */
async function populate(): Promise<void> {
  const { admin } = pdm;
  const make = assemblies(admin);
  const part = await make.part();
  const other = await make.part();
  const assembly = await make.draft([[part], [other], [addressOf(part, '@v1')], [addressOf(other, '@v1')]]);
  for (let n = 0; n < 3; n++) await make.assembly([[part], [other]]);
  const parent = await make.assembly([[part]]);
  await make.assembly([[parent]]);

  const document = await make.part();
  const version = (await admin.get(`/documents/${document.id}`)).body.versions[0].id;
  for (let n = 0; n < 4; n++)
    await admin.post(`/documents/${document.id}/workspaces`, {
      name: `Branch ${n % 2 ? 'a' : 'B'}${n}`,
      fromVersionId: version,
    });
  for (let n = 0; n < 4; n++) await admin.post(`/workspaces/${document.workspaceId}/versions`, {});
  const versions = (await admin.get(`/documents/${document.id}/versions?limit=5`)).body.items as Item[];
  for (const { id } of versions.toReversed())
    records.revision = (await admin.post(`/versions/${id}/release`, {})).body.id;

  for (const kind of ['source', 'attachment.b', 'attachment.a', 'attachment.c'])
    await admin.upload(document.draftId, kind, kind, { fileName: `${kind}.stp` });
  for (let n = 0; n < 3; n++) await admin.upload(document.draftId, 'source', `another ${n}`, { fileName: 'part.stp' });
  const scene = { camera: { position: [9, 9, 9], target: [0, 0, 0] } };
  for (const name of ['Top', 'section', 'Front'])
    await admin.post(`/versions/${document.draftId}/views`, { name, scene });
  const folders = (
    await Promise.all(Array.from({ length: 6 }, (_, n) => admin.post('/folders', { name: `Folder ${n}` })))
  ).map(({ body }) => body.id);
  const moment = (n: number) => new Date(Date.UTC(2026, 0, 1 + (n % 5)));
  const inside = Array.from({ length: 48 }, (_, n) => {
    const [name, parentId] = [`Inside ${n % 8}`, folders[Math.floor(n / 8)]];
    return {
      _id: `fld_${n}`,
      parentId,
      name,
      nameKey: name.toLowerCase(),
      createdAt: moment(n),
      updatedAt: moment(n + 2),
      lock: 0,
    };
  });
  await collection({ db: pdm.services.mongo.db }, 'folders').insertMany(inside);
  for (let n = 0; n < 4; n++) {
    const user = (await admin.post('/users', { name: n % 2 ? 'Same name' : `User ${n}`, role: 'viewer' })).body.id;
    await admin.post('/tokens', { name: n % 2 ? 'same' : `token ${n}`, userId: user });
    records.webhook = (
      await admin.post('/webhooks', { url: `http://127.0.0.1:9/${n}`, name: `Hook ${3 - n}` })
    ).body.id;
  }
  for (let n = 0; n < 3; n++) await admin.post(`/webhooks/${records.webhook}/ping`);
  records.code = (await admin.post('/documents', { name: 'Rack', kind: 'code' })).body.drafts[0].id;
  Object.assign(records, { document: document.id, draft: document.draftId, part: part.id, assembly: assembly.draftId });
}

const keyOf = ({ id, eventId, versionId, location, path }: Item): string =>
  String(id ?? eventId ?? `${versionId} ${location} ${path}`);

function isAscending(items: readonly Item[], of: (item: Item) => unknown): boolean {
  const names = new Intl.Collator('en');
  return items.slice(1).every((item, i) => {
    const [before, now] = [of(items[i]!), of(item)];
    if (typeof before === 'number' && typeof now === 'number') return before <= now;
    return String(before) <= String(now) || names.compare(String(before), String(now)) <= 0;
  });
}
