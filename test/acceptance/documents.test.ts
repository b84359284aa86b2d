import { afterAll, beforeAll, describe, expect, test } from 'vitest';
// Documents: create, read, change, archive, copy, delete, list, search and move.
import type { Answer } from '../support/client.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';

let pdm: Pdm;
beforeAll(async () => {
  pdm = await startPdm();
});
afterAll(() => pdm.close());

const statusAndCode = ({ status, body }: Answer) => [status, body?.code];
const create = async (fields: object = {}) =>
  (await pdm.editor.post('/documents', { name: 'Bracket', kind: 'model', ...fields })).body;
const folder = async (name: string, parentId?: string) => (await pdm.editor.post('/folders', { name, parentId })).body;

describe('a document', () => {
  test('creates a document with a number for its kind, a main workspace and an empty draft', async () => {
    const { status, headers, body } = await pdm.editor.post('/documents', {
      name: 'Gearbox',
      kind: 'assembly',
      description: 'Two stages',
    });
    expect([status, headers.get('location')]).toEqual([201, `/api/v1/documents/${body.id}`]);
    expect(body).toMatchObject({
      name: 'Gearbox',
      kind: 'assembly',
      description: 'Two stages',
      folderId: null,
      archived: false,
      thumbnailUrl: null,
    });
    expect(body.number).toMatch(/^ASM-\d{6}$/);
    expect(body.id).toMatch(/^doc_[0-9a-hjkmnp-tv-z]{26}$/);
    expect(body.createdBy).toEqual({ id: expect.stringMatching(/^usr_/), name: 'Ed Editor' });
    expect(body.workspaces).toMatchObject([
      { name: 'main', archived: false, documentId: body.id, draftId: body.drafts[0].id },
    ]);
    expect(body.drafts).toMatchObject([{ type: 'draft', n: null, workspaceId: body.workspaces[0].id }]);
    expect([body.versions, body.revisions, body.reservations]).toEqual([[], [], []]);
    expect((await pdm.viewer.get(`/documents/${body.id}`)).body).toEqual(body);
  });

  test('finds a document by id, and by number in any case', async () => {
    const { id, number } = await create({ number: 'x-1.a' });
    expect(number).toBe('X-1.A');
    for (const name of [id, number, 'x-1.a']) expect((await pdm.viewer.get(`/documents/${name}`)).body.id).toBe(id);
  });

  test.each(['doc_nothing', 'doc_01m7ztjs0ne02rwgm8x2rnzct9', 'PRT-999999', '%20', '$ne', 'a'.repeat(299)])(
    'does not find a document by %s',
    async (id) => {
      expect(statusAndCode(await pdm.viewer.get(`/documents/${id}`))).toEqual([404, 'not_found']);
    },
  );

  test('reports the user and time of its last change for every kind of write except reservations', async () => {
    const { id, workspaces } = await create();
    const [{ id: main, draftId }] = workspaces;
    const { admin } = pdm;
    const created: Record<string, string> = {};
    const createNamed = async (name: string, response: Promise<Answer>, idOf = (body: Answer['body']) => body.id) => {
      const { status, body } = await response;
      created[name] = status < 300 && body ? idOf(body) : '';
      return status;
    };
    const status = async (response: Promise<Answer>) => (await response).status;
    const auditIdOf = ({ auditId }: Answer['body']) => auditId;
    const writes: Record<string, () => Promise<number>> = {
      'a file is stored': () => status(admin.upload(draftId, 'attachment.note', 'a note')),
      'a file is removed': () => status(admin.delete(`/versions/${draftId}/artifacts/attachment.note`)),
      'a version is created': () => createNamed('version', admin.post(`/workspaces/${main}/versions`, {})),
      'a version is renamed': () => status(admin.patch(`/versions/${created.version}`, { name: 'First' })),
      'a version is released': () => createNamed('revision', admin.post(`/versions/${created.version}/release`, {})),
      'a revision is commented': () => status(admin.patch(`/revisions/${created.revision}`, { comment: 'good' })),
      'a revision becomes obsolete': () => status(admin.post(`/revisions/${created.revision}/obsolete`)),
      'a release is withdrawn': () => status(admin.delete(`/revisions/${created.revision}`)),
      'a workspace is created': () =>
        createNamed(
          'branch',
          admin.post(`/documents/${id}/workspaces`, { name: 'branch', fromVersionId: created.version }),
        ),
      'a workspace is renamed': () => status(admin.patch(`/workspaces/${created.branch}`, { name: 'twig' })),
      'a workspace is archived': () => status(admin.post(`/workspaces/${created.branch}/archive`)),
      'a workspace is unarchived': () => status(admin.post(`/workspaces/${created.branch}/unarchive`)),
      'a workspace is deleted': () => status(admin.delete(`/workspaces/${created.branch}`)),
      'a version is taken over': () =>
        status(admin.post(`/workspaces/${main}/take-over`, { versionId: created.version })),
      'a version is restored': () =>
        createNamed('audit', admin.post(`/workspaces/${main}/restore`, { versionId: created.version }), auditIdOf),
      'a restore is undone': () => status(admin.post(`/workspaces/${main}/undo`, { auditId: created.audit })),
      'the document is archived': () => status(admin.post(`/documents/${id}/archive`)),
    };
    let n = 0;
    for (const [label, write] of Object.entries(writes)) {
      const before = (await pdm.editor.patch(`/documents/${id}`, { description: `before ${n++}` })).body;
      expect([label, await write()]).toEqual([label, expect.toSatisfy((status: number) => status < 300)]);
      const { updatedBy, updatedAt } = (await pdm.viewer.get(`/documents/${id}`)).body;
      expect([label, updatedBy.name, updatedAt > before.updatedAt]).toEqual([label, 'Administrator', true]);
    }
  });

  test('rejects a number that another document has or had', async () => {
    const { id, number } = await create();
    const response = await pdm.editor.post('/documents', {
      name: 'Other',
      kind: 'model',
      number: number.toLowerCase(),
    });
    expect(statusAndCode(response)).toEqual([409, 'number_taken']);
    expect(JSON.stringify(response.body)).toContain(id);
    expect((await pdm.editor.delete(`/documents/${id}`)).status).toBe(204);
    expect(statusAndCode(await pdm.editor.post('/documents', { name: 'Other', kind: 'model', number }))).toEqual([
      409,
      'number_taken',
    ]);
  });

  test('advances the number sequence past an explicit number of the generated form', async () => {
    await create({ kind: 'code', number: 'GEN-000100' });
    expect((await create({ kind: 'code' })).number).toBe('GEN-000101');
  });

  test.each(['no spaces', '', '-X', 'a_b', 'A'.repeat(41)])('rejects the number "%s"', async (number) => {
    expect(statusAndCode(await pdm.editor.post('/documents', { name: 'X', kind: 'model', number }))).toEqual([
      400,
      'validation_failed',
    ]);
  });

  test('changes the given fields, keeps omitted ones and clears fields that are null', async () => {
    const { id } = await create({ description: 'old' });
    expect((await pdm.editor.patch(`/documents/${id}`, { name: 'New' })).body).toMatchObject({
      name: 'New',
      description: 'old',
    });
    expect((await pdm.editor.patch(`/documents/${id}`, { description: null })).body).toMatchObject({
      name: 'New',
      description: null,
    });
    expect((await pdm.editor.patch(`/documents/${id}`, {})).body).toMatchObject({ name: 'New', description: null });
    for (const body of [
      { number: 'X' },
      { kind: 'code' },
      { name: '' },
      { name: null },
      { name: 'x'.repeat(201) },
      { description: 'x'.repeat(4001) },
    ])
      expect(statusAndCode(await pdm.editor.patch(`/documents/${id}`, body))).toEqual([400, 'validation_failed']);
  });

  test('rejects writes to an archived document and allows reads', async () => {
    const { id, workspaces, drafts } = await create();
    expect((await pdm.editor.post(`/documents/${id}/archive`)).body.archived).toBe(true);
    expect((await pdm.viewer.get(`/documents/${id}`)).status).toBe(200);
    const writes = [
      pdm.editor.patch(`/documents/${id}`, { name: 'X' }),
      pdm.editor.post(`/workspaces/${workspaces[0].id}/versions`),
      pdm.editor.upload(drafts[0].id, 'source', 'x'),
      pdm.editor.patch(`/versions/${drafts[0].id}`, { comment: 'X' }),
    ];
    for (const write of writes) expect(statusAndCode(await write)).toEqual([409, 'document_archived']);
    expect((await pdm.editor.post(`/documents/${id}/unarchive`)).body.archived).toBe(false);
    expect((await pdm.editor.patch(`/documents/${id}`, { name: 'X' })).status).toBe(200);
  });

  test('deletes a document that was never released, with its workspaces and versions', async () => {
    const { id, workspaces, drafts } = await create();
    expect((await pdm.editor.delete(`/documents/${id}`)).status).toBe(204);
    for (const path of [`/documents/${id}`, `/workspaces/${workspaces[0].id}`, `/versions/${drafts[0].id}`])
      expect((await pdm.viewer.get(path)).status).toBe(404);
    expect((await pdm.editor.delete(`/documents/${id}`)).status).toBe(404);
  });

  test('copies a document with new ids, a new number and one workspace whose draft has the content', async () => {
    const original = await create({ name: 'Original' });
    await pdm.editor.upload(original.drafts[0].id, 'source', 'the content', { fileName: 'part.step' });
    const version = (await pdm.editor.post(`/workspaces/${original.workspaces[0].id}/versions`)).body;
    await pdm.editor.upload(original.drafts[0].id, 'source', 'later work');
    const { status, headers, body: copy } = await pdm.editor.post(`/documents/${original.id}/copy`, { name: 'Copy' });
    expect([status, headers.get('location')]).toEqual([201, `/api/v1/documents/${copy.id}`]);
    expect(copy).toMatchObject({
      name: 'Copy',
      kind: 'model',
      versions: [],
      copiedFrom: { documentId: original.id, versionId: version.id },
    });
    expect(copy.number).not.toBe(original.number);
    expect(copy.workspaces).toHaveLength(1);
    expect((await pdm.viewer.get(`/versions/${copy.drafts[0].id}/artifacts/source/file`)).bytes.toString()).toBe(
      'the content',
    );
    await pdm.editor.upload(copy.drafts[0].id, 'source', 'changed');
    expect((await pdm.viewer.get(`/versions/${version.id}/artifacts/source/file`)).bytes.toString()).toBe(
      'the content',
    );
  });

  test('returns 404 for the thumbnail of a document until one is uploaded', async () => {
    const { id, drafts } = await create();
    expect(statusAndCode(await pdm.viewer.get(`/documents/${id}/thumbnail`))).toEqual([404, 'not_found']);
    await pdm.editor.upload(drafts[0].id, 'thumbnail', 'picture', { headers: { 'content-type': 'image/png' } });
    const { status, bytes, headers } = await pdm.viewer.get(`/documents/${id}/thumbnail`);
    expect([status, bytes.toString(), headers.get('content-type')]).toEqual([200, 'picture', 'image/png']);
    const { thumbnailUrl } = (await pdm.viewer.get(`/documents/${id}`)).body;
    expect(
      (await fetch(new URL(thumbnailUrl, pdm.url), { headers: { authorization: `Bearer ${pdm.tokens.viewer}` } }))
        .status,
    ).toBe(200);
  });

  test('adds a chained audit record for every write to a document', async () => {
    const { id } = await create();
    await pdm.editor.patch(`/documents/${id}`, { name: 'Renamed' }, { 'x-request-id': 'the-rename' });
    await pdm.admin.post(`/documents/${id}/archive`);
    const { items, nextCursor } = (await pdm.viewer.get(`/documents/${id}/audit`)).body;
    expect([items.map(({ action }: { action: string }) => action), nextCursor]).toEqual([
      ['document.archived', 'document.updated', 'document.created'],
      null,
    ]);
    expect(items[1]).toMatchObject({
      by: { name: 'Ed Editor', via: 'token' },
      documentId: id,
      requestId: 'the-rename',
      changes: { name: { from: 'Bracket', to: 'Renamed' } },
    });
    expect(items[0].prevHash).toBe(items[1].hash);
    const first = (await pdm.viewer.get(`/documents/${id}/audit?limit=2`)).body;
    const rest = (await pdm.viewer.get(`/documents/${id}/audit?limit=2&cursor=${first.nextCursor}`)).body;
    // The position in the log of the installation follows shortly after the write.
    const unsealed = (records: object[]) => records.map((record) => ({ ...record, seq: null }));
    expect(unsealed([...first.items, ...rest.items])).toEqual(unsealed(items));
  });

  test('adds no audit record for a rejected write', async () => {
    const { id } = await create();
    await pdm.editor.patch(`/documents/${id}`, { name: '' });
    await pdm.viewer.patch(`/documents/${id}`, { name: 'X' });
    expect((await pdm.viewer.get(`/documents/${id}/audit`)).body.items).toHaveLength(1);
  });
});

test('queues a job for a copy that waits for a result of the original when the original is deleted', async () => {
  const { id, drafts } = await create();
  const { body: source } = await pdm.editor.upload(drafts[0].id, 'source', 'a STEP file');
  const { body: copy } = await pdm.editor.post(`/documents/${id}/copy`);
  const draftId = copy.drafts[0].id;
  const jobs = async () => (await pdm.editor.get(`/versions/${draftId}/jobs`)).body.items;
  expect(await jobs()).toEqual([]);

  expect((await pdm.editor.delete(`/documents/${id}`)).status).toBe(204);
  const [job] = await jobs();
  expect(job).toMatchObject({ type: 'convert', status: 'waiting', documentId: copy.id, inputSha256: source.sha256 });
  expect((await pdm.editor.get(`/documents/${copy.id}/audit`)).body.items[0]).toMatchObject({
    action: 'job.queued',
    jobId: job.id,
  });
});

describe('documents', () => {
  const names = async (query: string) =>
    (await pdm.viewer.get(`/documents?${query}`)).body.items?.map(({ name }: { name: string }) => name);

  test('lists documents page by page in the requested order, each one once', async () => {
    const { id: folderId } = await folder('Paged');
    for (const name of ['Delta', 'Alpha', 'Echo', 'Charlie', 'Bravo']) await create({ name, folderId });
    for (const [sort, expected] of [
      ['name', ['Alpha', 'Bravo', 'Charlie', 'Delta', 'Echo']],
      ['-name', ['Echo', 'Delta', 'Charlie', 'Bravo', 'Alpha']],
      ['createdAt', ['Delta', 'Alpha', 'Echo', 'Charlie', 'Bravo']],
      ['-number', ['Bravo', 'Charlie', 'Echo', 'Alpha', 'Delta']],
    ] as const) {
      const listed: string[] = [];
      let next: string | null = `/documents?folderId=${folderId}&sort=${sort}&limit=2`;
      while (next) {
        const { body, headers }: Answer = await pdm.viewer.get(next);
        listed.push(...body.items.map(({ name }: { name: string }) => name));
        next = /^<\/api\/v1(.*)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1] ?? null;
        expect(next === null).toBe(body.nextCursor === null);
      }
      expect(listed).toEqual(expected);
    }
  });

  test('lists documents by last change in descending order by default, with a total only on request', async () => {
    const { id: folderId } = await folder('Fresh');
    const [first] = [await create({ name: 'First', folderId }), await create({ name: 'Second', folderId })];
    await pdm.editor.patch(`/documents/${first.id}`, { description: 'touched' });
    expect(await names(`folderId=${folderId}`)).toEqual(['First', 'Second']);
    expect(Object.keys((await pdm.viewer.get(`/documents?folderId=${folderId}`)).body)).toEqual([
      'items',
      'nextCursor',
    ]);
    expect((await pdm.viewer.get(`/documents?folderId=${folderId}&limit=1&total=true`)).body).toMatchObject({
      total: 2,
      items: [{ name: 'First' }],
    });
  });

  test.each(['limit=0', 'limit=201', 'limit=1.5', 'limit=-1', 'sort=colour', 'kind=boat', 'recursive=1', 'foo=bar'])(
    'rejects the invalid parameter %s',
    async (query) => {
      expect(statusAndCode(await pdm.viewer.get(`/documents?${query}`))).toEqual([400, 'validation_failed']);
    },
  );

  test.each(['nonsense', 'e30', ''])('rejects the invalid cursor "%s"', async (cursor) => {
    expect(statusAndCode(await pdm.viewer.get(`/documents?cursor=${cursor}`))).toEqual([400, 'bad_cursor']);
  });

  test('rejects a cursor of another order', async () => {
    const { nextCursor } = (await pdm.viewer.get('/documents?limit=1&sort=name')).body;
    expect(statusAndCode(await pdm.viewer.get(`/documents?limit=1&sort=-name&cursor=${nextCursor}`))).toEqual([
      400,
      'bad_cursor',
    ]);
  });

  test('ranks search results by exact number, number prefix, name prefix and words', async () => {
    await create({ name: 'Zebra crossing', number: 'SEARCH-1' });
    await create({ name: 'Search-1 by name', number: 'OTHER-77' });
    await create({ name: 'Longer number', number: 'SEARCH-10' });
    await create({ name: 'Only words', description: 'see search 1 in the text' });
    expect(await names('q=search-1')).toEqual(['Zebra crossing', 'Longer number', 'Search-1 by name', 'Only words']);
    expect(await names('q=zebra')).toEqual(['Zebra crossing']);
    expect(await names(`q=${encodeURIComponent('"search 1 in"')}`)).toEqual(['Only words']);
    expect(await names(`q=${encodeURIComponent('.*')}`)).toEqual([]);
  });

  test('lists archived documents only on request', async () => {
    const { id: folderId } = await folder('Shelf');
    const { id } = await create({ name: 'Old', folderId });
    await create({ name: 'Young', folderId });
    await pdm.editor.post(`/documents/${id}/archive`);
    expect(await names(`folderId=${folderId}`)).toEqual(['Young']);
    expect(await names(`folderId=${folderId}&includeArchived=true&sort=name`)).toEqual(['Old', 'Young']);
  });

  test('lists the documents of a folder, with subfolders on request, and unfiled documents', async () => {
    const top = await folder('Top');
    const below = await folder('Below', top.id);
    await create({ name: 'In top', folderId: top.id });
    await create({ name: 'In below', folderId: below.id });
    const { id } = await create({ name: 'In none' });
    expect(await names(`folderId=${top.id}`)).toEqual(['In top']);
    expect(await names(`folderId=${top.id}&recursive=true&sort=name`)).toEqual(['In below', 'In top']);
    expect(
      (await pdm.viewer.get('/documents?folderId=unfiled&limit=200')).body.items.map((item: { id: string }) => item.id),
    ).toContain(id);
    expect(statusAndCode(await pdm.viewer.get('/documents?folderId=fld_nothing'))).toEqual([400, 'validation_failed']);
  });

  test('moves all documents or none, and to Unfiled with a null folder', async () => {
    const { id: folderId } = await folder('Target');
    const [a, b] = [await create(), await create()];
    const { status, body } = await pdm.editor.post('/documents/move', { ids: [a.id, b.number], folderId });
    expect([status, body.items.map((item: { folderId: string }) => item.folderId), body.nextCursor]).toEqual([
      200,
      [folderId, folderId],
      null,
    ]);
    expect((await pdm.editor.post('/documents/move', { ids: [a.id, 'doc_nothing'], folderId: null })).status).toBe(404);
    expect((await pdm.viewer.get(`/documents/${a.id}`)).body.folderId).toBe(folderId);
    expect(
      (await pdm.editor.post('/documents/move', { ids: [a.id], folderId: null })).body.items[0].folderId,
    ).toBeNull();
    expect(statusAndCode(await pdm.editor.post('/documents/move', { ids: [a.id] }))).toEqual([
      400,
      'validation_failed',
    ]);
    expect((await pdm.editor.post('/documents/move', { ids: [a.id], folderId: 'fld_nothing' })).status).toBe(404);
  });

  test('rejects a move without a folder, in REST and GraphQL', async () => {
    const { id: folderId } = await folder('Unchanged');
    const { id } = await create({ folderId });
    expect(statusAndCode(await pdm.editor.post('/documents/move', { ids: [id] }))).toEqual([400, 'validation_failed']);
    const move = (more: string) => pdm.editor.graphql(`mutation { moveDocuments(ids: ["${id}"]${more}) { folderId } }`);
    expect((await move('')).body.errors[0].extensions).toMatchObject({
      code: 'validation_failed',
      errors: [{ path: '/folderId' }],
    });
    expect((await pdm.viewer.get(`/documents/${id}`)).body.folderId).toBe(folderId);
    expect((await move(', folderId: null')).body.data.moveDocuments).toEqual([{ folderId: null }]);
  });
});
