// Filters of lists, what the items of lists contain, and how unknown filter values are rejected.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assemblies } from '../support/assemblies.ts';
import { createIdentities } from '../support/identities.ts';
import { type Issuer, startIssuer } from '../support/issuer.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';
import { storeCommands } from '../support/store-commands.ts';

let issuer: Issuer;
let pdm: Pdm;
let make: ReturnType<typeof assemblies>;
let records: Readonly<Record<string, string>>;
beforeAll(async () => {
  issuer = await startIssuer();
  pdm = await startPdm({
    monitorCommands: true,
    settings: { PDM_ROLES: 'store,api', OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: issuer.audience },
  });
  make = assemblies(pdm.editor);
  records = (await createIdentities(pdm, issuer)).records;
});
afterAll(async () => {
  await pdm.close();
  await issuer.stop();
});

type Item = Record<string, unknown> & { id: string };
const items = async (path: string, client = pdm.viewer): Promise<Item[]> => (await client.get(path)).body.items;
const ids = async (path: string) => (await items(path)).map(({ id }) => id);

describe('an unknown filter value', () => {
  const UNKNOWN = [
    ['/documents', 'kind', 'drawing', 'must be one of model, assembly, code'],
    ['/documents', 'folderId', 'fld_nothing', 'must be `unfiled` or the id of a folder'],
    ['/documents', 'createdBy', 'usr_nothing', 'must be the id of a user'],
    ['/documents', 'reserved', 'nobody', 'must be one of me, others, anyone'],
    ['/jobs', 'status', 'waiting,lost', 'must be one of waiting, running, done, failed, cancelled'],
    ['/jobs', 'type', 'print', 'must be one of convert, assemble, export, run'],
    ['/jobs', 'versionId', 'ver_nothing', 'must be the id of a draft or version'],
    ['/jobs', 'documentId', 'doc_nothing', 'must be the id or number of a document'],
    ['/jobs', 'documentId', 'PRT-999999', 'must be the id or number of a document'],
    ['/audit', 'actor', 'usr_nothing', 'must be the id of a user'],
    ['/audit', 'action', 'document.painted', /^must be one of document\.created, .*version\.released/],
    ['/documents/:document/audit', 'actor', 'usr_nothing', 'must be the id of a user'],
    ['/documents/:document/audit', 'action', 'painted', /^must be one of document\.created, /],
    ['/documents/:document/where-used', 'scope', 'some', 'must be one of latest, released, all'],
    ['/documents/:document/where-used', 'levels', '2', 'must be 1 or all'],
    ['/documents/:document/where-used', 'of', 'v99', /^must be a revision or version of /],
    ['/tokens', 'userId', 'usr_nothing', 'must be the id of a user'],
    ['/webhooks/:webhook/deliveries', 'status', 'lost', 'must be one of waiting, delivered, failed'],
    ['/events', 'types', 'painted', /^must not contain "painted": use a type like version\.released/],
  ] as const;

  test.each(UNKNOWN)('is rejected by GET %s: %s=%s', async (path, name, value, message) => {
    const url = path.replace(/:(\w+)/, (_, record: string) => records[record] ?? '');
    const { status, body } = await pdm.admin.get(`${url}?${name}=${value}`);
    expect([status, body.code]).toEqual([400, 'validation_failed']);
    expect(body.errors).toEqual([
      { path: `/${name}`, message: typeof message === 'string' ? message : expect.stringMatching(message) },
    ]);
  });
});

test('filters documents by the user who created them', async () => {
  const own = await make.part({ name: 'Own' });
  const { id: other } = (await pdm.admin.post('/documents', { name: 'Other', kind: 'model' })).body;
  const { id } = (await pdm.editor.get('/me')).body;
  const created = await items(`/documents?createdBy=${id}&limit=200`);
  expect(created.map((item) => item.id)).toContain(own.id);
  expect(created.map((item) => item.id)).not.toContain(other);
  expect(new Set(created.map(({ createdBy }) => (createdBy as Item).id))).toEqual(new Set([id]));
  expect((await ids(`/documents?createdBy=${id}&sort=name&kind=model&limit=200`)).length).toBeGreaterThan(0);
});

test('filters documents by release, also after the only release was taken back', async () => {
  const [released, draft, takenBack] = await Promise.all([make.part(), make.model(), make.model()]);
  await make.release(released);
  await make.version(takenBack);
  const { body: versions } = await pdm.editor.get(`/documents/${takenBack.id}/versions`);
  const { body: revision } = await pdm.editor.post(`/versions/${versions.items[0].id}/release`);
  const listed = (value: boolean) => ids(`/documents?released=${value}&limit=200`);
  expect(await listed(true)).toEqual(expect.arrayContaining([released.id, takenBack.id]));
  expect((await pdm.admin.delete(`/revisions/${revision.id}`)).status).toBe(204);
  const [withRevision, without] = await Promise.all([listed(true), listed(false)]);
  expect(withRevision).toContain(released.id);
  expect(without).toEqual(expect.arrayContaining([draft.id, takenBack.id]));
  expect(withRevision.filter((id) => without.includes(id))).toEqual([]);
  const { total } = (await pdm.viewer.get('/documents?total=true')).body;
  expect(withRevision.length + without.length).toBe(total);
});

test('filters documents by reservation, in pages and with a total', async () => {
  const parts = await Promise.all([make.part(), make.part(), make.part()]);
  const [mine, mineToo, other] = parts;
  await pdm.editor.post(`/workspaces/${mine.workspaceId}/checkout`);
  await pdm.editor.post(`/workspaces/${mineToo.workspaceId}/checkout`);
  await pdm.admin.post(`/workspaces/${other.workspaceId}/checkout`);
  const listed = async (reserved: string) =>
    (await items(`/documents?reserved=${reserved}&limit=200`, pdm.editor)).map(({ id }) => id);
  const created = (found: string[]) => found.filter((id) => parts.some((part) => part.id === id)).sort();
  expect(created(await listed('me'))).toEqual([mine.id, mineToo.id].sort());
  expect(created(await listed('others'))).toEqual([other.id]);
  expect(created(await listed('anyone'))).toEqual(parts.map(({ id }) => id).sort());
  const { body: first } = await pdm.editor.get('/documents?reserved=anyone&limit=1&total=true');
  const { body: rest } = await pdm.editor.get(`/documents?reserved=anyone&limit=200&cursor=${first.nextCursor}`);
  expect(first.total).toBe(1 + rest.items.length);
  expect(rest.items.map(({ id }: Item) => id)).not.toContain(first.items[0].id);
});

test('filters documents by failed jobs and by the time of the last update', async () => {
  const part = await make.model();
  await pdm.editor.upload(part.draftId, 'source', 'not a STEP file', { fileName: 'part.step' });
  const { body: job } = await pdm.worker.post('/jobs/claim', { workerId: 'w', environment: { engine: 'occt' } });
  expect((await pdm.worker.post(`/jobs/${job.id}/fail`, { attempt: job.attempt, error: 'No STEP file.' })).status).toBe(
    200,
  );
  const { documentId } = (await pdm.viewer.get(`/jobs/${job.id}`)).body;
  expect(await ids('/documents?failedJobs=true&limit=200')).toContain(documentId);
  expect(await ids('/documents?failedJobs=true&q=no-such-word')).toEqual([]);

  const { updatedAt } = (await pdm.viewer.get(`/documents/${part.id}`)).body;
  const at = encodeURIComponent(updatedAt);
  const later = encodeURIComponent(new Date(Date.parse(updatedAt) + 1).toISOString());
  expect(await ids(`/documents?updatedFrom=${at}&updatedBefore=${later}`)).toContain(part.id);
  expect(await ids(`/documents?updatedBefore=${at}&limit=200`)).not.toContain(part.id);
  expect(await ids(`/documents?updatedFrom=${later}&sort=number&limit=200`)).not.toContain(part.id);
});

test('filters jobs by several statuses, in pages and with a total', async () => {
  for (let n = 0; n < 3; n++) await make.draft([[await make.part()]]);
  const [first] = await items('/jobs?status=waiting');
  expect((await pdm.editor.post(`/jobs/${first?.id}/cancel`)).body.status).toBe('cancelled');
  const several = await pdm.viewer.get('/jobs?status=cancelled,waiting&total=true&limit=200');
  const statuses = several.body.items.map(({ status }: Item) => status);
  expect(new Set(statuses)).toEqual(new Set(['waiting', 'cancelled']));
  expect(several.body.total).toBe(statuses.length);
  const all = (await items('/jobs?limit=200')).filter(({ status }) => statuses.includes(status));
  expect(several.body.items).toEqual(all);
  const pages: Item[] = [];
  let cursor = '';
  do {
    const { body } = await pdm.viewer.get(`/jobs?status=waiting,cancelled&limit=2${cursor}`);
    pages.push(...body.items);
    cursor = body.nextCursor && `&cursor=${body.nextCursor}`;
  } while (cursor);
  expect(pages).toEqual(all);
  const { body } = await pdm.viewer.graphql('{ jobs(statuses: [waiting, cancelled], limit: 200) { items { id } } }');
  expect(body.data.jobs.items.map(({ id }: Item) => id)).toEqual(all.map(({ id }) => id));
});

test('lists documents with their newest version, newest revision and reservations', async () => {
  const part = await make.part();
  const { label, versionId } = await make.release(part);
  const { id: newest } = await make.version(part);
  await pdm.editor.post(`/workspaces/${part.workspaceId}/checkout`, { note: 'Ribs' });
  const empty = await make.model();
  const list = await items('/documents?limit=200');
  expect(list.find(({ id }) => id === part.id)).toMatchObject({
    newestVersion: { id: newest, n: 3, name: 'V3' },
    newestRevision: { label, versionId, versionN: 2, obsolete: false },
    reservations: [{ workspaceId: part.workspaceId, note: 'Ribs' }],
  });
  expect(list.find(({ id }) => id === empty.id)).toMatchObject({
    newestVersion: null,
    newestRevision: null,
    reservations: [],
  });
  const commands = await storeCommands(() => pdm)(() => pdm.viewer.get('/documents?limit=50'));
  expect(commands.length).toBeLessThanOrEqual(6);
});

test('lists every invalid field of a body, whatever is wrong with it', async () => {
  const errorsOf = async (body: object) => {
    const response = await pdm.editor.post('/documents', body);
    expect([response.status, response.body.code]).toEqual([400, 'validation_failed']);
    return response.body.errors.map(({ path }: { path: string }) => path).sort();
  };
  const texts = { name: ' ', number: 'a b', description: '\u0000' };
  expect(await errorsOf({ ...texts, kind: 'model' })).toEqual(['/description', '/name', '/number']);
  expect(await errorsOf({ ...texts, kind: 'drawing', colour: 'red' })).toEqual([
    '/colour',
    '/description',
    '/kind',
    '/name',
    '/number',
  ]);
  const { body } = await pdm.editor.graphql(
    'mutation { createDocument(input: { name: "", kind: model, number: "a b" }) { id } }',
  );
  expect(body.errors[0].extensions.errors.map(({ path }: { path: string }) => path)).toEqual(['/name', '/number']);
  const { draftId, workspaceId } = await make.model();
  const long = { name: 'x'.repeat(201), comment: 'x'.repeat(4001) };
  expect((await pdm.editor.patch(`/versions/${draftId}`, long)).body.errors).toHaveLength(2);
  expect((await pdm.editor.post(`/workspaces/${workspaceId}/versions`, long)).body.errors).toHaveLength(2);
});

test('names the number and the name of the document that has a number', async () => {
  const { id: documentId, number } = await make.model({ name: 'Flange', number: 'DIN-2573' });
  const taken = (await pdm.editor.post('/documents', { name: 'Other', kind: 'model', number })).body;
  expect(taken).toMatchObject({
    code: 'number_taken',
    detail:
      'The number DIN-2573 is taken by the document "Flange". Choose another number, or omit it to get the next free one.',
    holder: { documentId, number, name: 'Flange', deleted: false },
  });
  await pdm.editor.delete(`/documents/${documentId}`);
  const deleted = (await pdm.editor.post('/documents', { name: 'Other', kind: 'model', number })).body;
  expect(deleted.holder).toEqual({ documentId, number, name: null, deleted: true });
});

test('rejects an OFB export while no engine writes the format', async () => {
  const { draftId } = await make.draft([[await make.part()]]);
  const { status, body } = await pdm.editor.post(`/versions/${draftId}/exports`, { format: 'OFB' });
  expect([status, body.code]).toEqual([422, 'needs_classcad']);
  expect((await items(`/versions/${draftId}/jobs`)).map(({ type }) => type)).toEqual(['assemble']);
});

test('returns a BOM as CSV if Accept prefers it', async () => {
  const part = await make.part({ name: 'Screw' });
  const { draftId } = await make.draft([[part, 4]]);
  const typeOf = async (accept: string, query = '') => {
    const response = await fetch(`${pdm.url}/api/v1/versions/${draftId}/bom${query}`, {
      headers: { authorization: `Bearer ${pdm.tokens.viewer}`, accept },
    });
    expect([response.status, response.headers.get('vary')]).toEqual([200, expect.stringMatching(/\baccept\b/i)]);
    expect(await response.text()).toContain(part.number);
    return response.headers.get('content-type')?.split(';')[0];
  };
  expect(await typeOf('text/csv')).toBe('text/csv');
  expect(await typeOf('application/json;q=0.5, text/*')).toBe('text/csv');
  expect(await typeOf('text/csv;q=0.2, */*;q=0.1')).toBe('text/csv');
  for (const accept of ['*/*', 'text/csv, */*', 'text/csv;q=0.5, application/json', 'image/png'])
    expect([accept, await typeOf(accept)]).toEqual([accept, 'application/json']);
  expect(await typeOf('text/csv', '?format=json')).toBe('application/json');
  expect(await typeOf('application/json', '?format=csv')).toBe('text/csv');
});

test('returns the URL of the content with each file', async () => {
  const { draftId } = await make.draft([[await make.part()]]);
  const [file] = await items(`/versions/${draftId}/artifacts`);
  expect(file?.url).toBe(`/api/v1/artifacts/${file?.id}/file`);
  expect((await fetch(pdm.url + file?.url, { headers: { authorization: `Bearer ${pdm.tokens.viewer}` } })).status).toBe(
    200,
  );
});

test('describes that the error of a failed job may be a string', async () => {
  const { paths } = (await pdm.viewer.get('/openapi.json')).body;
  const { error } = paths['/jobs/{id}/fail'].post.requestBody.content['application/json'].schema.properties;
  expect(error.anyOf.map(({ type }: { type: string }) => type)).toEqual(['object', 'string']);
});

test('lists the own reservations and the requested ones as items too', async () => {
  const { workspaceId } = await make.part();
  await pdm.editor.post(`/workspaces/${workspaceId}/checkout`);
  const { held, requested, items, nextCursor } = (await pdm.editor.get('/me/reservations')).body;
  expect(held.map((item: { workspaceId: string }) => item.workspaceId)).toContain(workspaceId);
  expect([items.length, nextCursor]).toEqual([held.length + requested.length, null]);
  for (const item of [...held, ...requested]) expect(items).toContainEqual(item);
});

test('returns null with the error not_found for a record that does not exist', async () => {
  const { id } = await make.part();
  const { body } = await pdm.viewer.graphql(
    `{ document(id: "nope") { id } other: document(id: "${id}") { id } job(id: "nope") { id } }`,
  );
  expect(body.data).toEqual({ document: null, other: { id }, job: null });
  expect(body.errors).toMatchObject([
    { path: ['document'], message: 'There is no document nope.', extensions: { code: 'not_found', id: 'nope' } },
    { path: ['job'], extensions: { code: 'not_found', what: 'job' } },
  ]);
  expect((await pdm.viewer.get('/documents/nope')).body).toMatchObject({ code: 'not_found', id: 'nope' });
});
