// The audit log in the API: the records of a document and of the installation, log positions and verification.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditHash } from '../../subgraphs/core/domain/audit/audit-event.ts';
import { contentHash } from '../../subgraphs/core/domain/versions/version-content.ts';
import { collection } from '../../subgraphs/core/store/query/scope.ts';
import type { Answer } from '../support/client.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';

let pdm: Pdm;
let document: { id: string; number: string; workspaces: { id: string; draftId: string }[] };
beforeAll(async () => {
  pdm = await startPdm();
  const { id } = (await pdm.editor.post('/documents', { name: 'Bracket', kind: 'model' })).body;
  document = (await pdm.editor.get(`/documents/${id}`)).body;
  await pdm.editor.upload(document.workspaces[0]?.draftId ?? '', 'attachment.note', 'a note', { fileName: 'note.txt' });
  await pdm.editor.patch(`/documents/${id}`, { name: 'Angle bracket' });
});
afterAll(() => pdm.close());

type Record = {
  id: string;
  seq: number | null;
  action: string;
  chain: string;
  chainSeq: number;
  at: string;
  by: { id: string; tokenId: string | null; onBehalfOf: string | null };
};

// Waits without a limit; another test measures how long sealing takes.
async function readSealed(path: string): Promise<Record[]> {
  for (;;) {
    const { items } = (await pdm.admin.get(path)).body;
    if (items.every(({ seq }: Record) => seq !== null)) return items;
  }
}

test('returns the records of a document with actor, time and changes, newest first', async () => {
  const { items } = (await pdm.viewer.get(`/documents/${document.number}/audit`)).body;
  expect(items.map(({ action }: Record) => action)).toEqual([
    'document.updated',
    'artifact.uploaded',
    'document.created',
  ]);
  expect(items[0]).toMatchObject({
    documentId: document.id,
    chain: document.id,
    chainSeq: 3,
    by: { name: 'Ed Editor', via: 'token', role: 'editor', onBehalfOf: null },
    route: 'PATCH /api/v1/documents/:id',
    changes: { name: { from: 'Bracket', to: 'Angle bracket' } },
    prevHash: items[1].hash,
  });
});

test('assigns ascending positions in the sealed audit log to all records', async () => {
  const seqs = (await readSealed(`/documents/${document.id}/audit`)).map(({ seq }) => Number(seq));
  expect(seqs).toEqual(seqs.toSorted((a, b) => b - a));
  const all = (await readSealed('/audit?limit=200')).map(({ seq }) => Number(seq)).sort((a, b) => a - b);
  expect(all).toEqual(all.map((_, i) => i + 1));
});

test('shows administrators everything that is needed to recompute the hash of each record', async () => {
  for (const shown of await readSealed('/audit?limit=200')) {
    const { id, seq: _seq, by, prevHash, hash, ...rest } = shown as Record & { prevHash: string; hash: string };
    const { name: _name, onBehalfOf, ...actor } = by as typeof by & { name: string; onBehalfOf: string | null };
    const { route, records, ...others } = rest as typeof rest & { route: string | null; records: object[] | null };
    const hashed = {
      _id: id,
      by: { ...actor, ...(onBehalfOf ? { onBehalfOf } : {}) },
      ...(records ? { records } : {}),
      ...(route ? { route } : {}),
      ...others,
    };
    expect([id, auditHash(prevHash, hashed)]).toEqual([id, hash]);
  }
});

test('records the actions of a worker on behalf of the user who queued the job', async () => {
  const draft = document.workspaces[0]?.draftId ?? '';
  await pdm.editor.upload(draft, 'source', 'ISO-10303-21; a solid', { fileName: 'bracket.step' });
  const job = (await pdm.worker.post('/jobs/claim', { workerId: 'w', environment: { engine: 'occt' } })).body;
  await pdm.worker.post(`/jobs/${job.id}/fail`, { error: 'It is no solid.', final: true });
  await pdm.admin.graphql(`mutation { retryJob(id: "${job.id}") { id } }`);
  const [retried, failed, claimed, , uploaded] = (await pdm.viewer.get(`/documents/${document.id}/audit`)).body.items;
  const editor = uploaded.by.id;
  expect([claimed, failed].map(({ action, by }: Record) => [action, by.onBehalfOf])).toEqual([
    ['job.claimed', editor],
    ['job.failed', editor],
  ]);
  expect(claimed.route).toBe('POST /api/v1/jobs/claim');
  expect(retried).toMatchObject({ action: 'job.retried', route: 'POST /graphql', by: { onBehalfOf: null } });
});

test('shows tokens and IP addresses only to administrators', async () => {
  const path = `/documents/${document.id}/audit`;
  const tokens = async (reader: Pdm['viewer']) =>
    (await reader.get(path)).body.items.map(({ by }: Record) => by.tokenId);
  expect(new Set(await tokens(pdm.viewer))).toEqual(new Set([null]));
  expect((await tokens(pdm.admin)).every((token: string) => token.startsWith('tok_'))).toBe(true);
  const { data } = (
    await pdm.viewer.graphql(`{ document(id: "${document.id}") { audit { items { ip by { tokenId } } } } }`)
  ).body;
  expect(data.document.audit.items[0]).toEqual({ ip: null, by: { tokenId: null } });
  expect((await pdm.admin.get(path)).body.items[0].ip).toBe('127.0.0.1');
});

test('filters the audit records of a document by actor, action and time', async () => {
  // ids only: records are sealed meanwhile, which sets their seq
  const read = async (query = ''): Promise<{ ids: string[]; total: number }> => {
    const { items, total } = (await pdm.admin.get(`/documents/${document.id}/audit?limit=200&total=true&${query}`))
      .body;
    return { ids: items.map(({ id }: Record) => id), total };
  };
  const all: Record[] = (await pdm.admin.get(`/documents/${document.id}/audit?limit=200`)).body.items;
  const idsWhere = (matches: (record: Record) => boolean) => all.filter(matches).map(({ id }) => id);
  const [oldest] = all.toReversed();
  const time = all[1]?.at ?? '';
  expect((await read('action=version.created')).ids).toEqual(idsWhere(({ action }) => action === 'version.created'));
  expect((await read(`actor=${oldest?.by.id}&action=document.created`)).ids).toEqual([oldest?.id]);
  const after = idsWhere(({ at }) => at >= time);
  expect(await read(`from=${time}`)).toEqual({ ids: after, total: after.length });
  expect((await read(`before=${time}`)).ids).toEqual(idsWhere(({ at }) => at < time));
  const page = (await pdm.admin.get(`/documents/${document.id}/audit?limit=1&from=${oldest?.at}`)).body;
  const next = await pdm.admin.get(`/documents/${document.id}/audit?limit=1&cursor=${page.nextCursor}`);
  expect(next.body.code).toBe('bad_cursor');
});

test('returns the whole log only to administrators, filtered by actor, action and time, page by page', async () => {
  for (const reader of [pdm.viewer, pdm.editor]) {
    expect((await reader.get('/audit')).body.code).toBe('admin_only');
    expect((await reader.get('/audit/verify')).body.code).toBe('admin_only');
    expect((await reader.graphql('{ audit { items { id } } }')).body.errors[0].extensions.code).toBe('admin_only');
  }
  const readAll = async (): Promise<Record[]> => (await pdm.admin.get('/audit?limit=200')).body.items;
  // Waits until all records are sealed, so that two reads return the same.
  await expect.poll(async () => (await readAll()).filter(({ seq }) => seq === null), { timeout: 10_000 }).toEqual([]);
  const all = await readAll();
  expect(all.map(({ chain }) => chain)).toContain('access');
  const editor = all.find(({ action }) => action === 'document.created')?.by.id;
  const readLog = async (query: string): Promise<Record[]> =>
    (await pdm.admin.get(`/audit?limit=200&${query}`)).body.items;
  expect(await readLog(`actor=${editor}`)).toEqual(all.filter(({ by }) => by.id === editor));
  expect(await readLog('action=token.created')).toEqual(all.filter(({ action }) => action === 'token.created'));
  expect(await readLog(`actor=${editor}&action=document.updated`)).toHaveLength(1);
  const from = all[2]?.at ?? '';
  expect(await readLog(`from=${from}`)).toEqual(all.filter(({ at }) => at >= from));
  expect(await readLog(`before=${from}`)).toEqual(all.filter(({ at }) => at < from));

  const paged: Record[] = [];
  for (let cursor = ''; ; ) {
    const { items, nextCursor } = (await pdm.admin.get(`/audit?limit=3${cursor && `&cursor=${cursor}`}`)).body;
    paged.push(...items);
    if (!nextCursor) break;
    cursor = nextCursor;
  }
  expect(paged.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
  const { nextCursor } = (await pdm.admin.get('/audit?limit=1')).body;
  expect((await pdm.admin.get(`/audit?action=document.created&cursor=${nextCursor}`)).body.code).toBe('bad_cursor');
  expect((await pdm.admin.get('/audit?from=yesterday')).body.code).toBe('validation_failed');
});

test('verifies an intact log and names a record that was changed in the database', async () => {
  const verify = async () => (await pdm.admin.get('/audit/verify?waitSeconds=50')).body;
  expect(await verify()).toMatchObject({
    verdict: 'intact',
    errors: [],
    warnings: [],
    origin: expect.stringMatching(/^pdm\/audit\//),
  });
  const audit = pdm.services.mongo.db.collection<{ _id: string; summary: string }>('audit');
  const record = await audit.findOneAndUpdate(
    { action: 'document.updated' },
    { $set: { summary: 'Nothing happened.' } },
  );
  const { verdict, errors } = await verify();
  expect([verdict, errors[0].id]).toEqual(['tampered', record?._id]);
  await audit.updateOne({ _id: record?._id }, { $set: { summary: record?.summary } });
  expect((await verify()).verdict).toBe('intact');
});

test('updates the last change of a document with every write but reservations', async () => {
  const { id, workspaces } = (await pdm.editor.post('/documents', { name: 'Bracket', kind: 'model' })).body;
  const [{ id: main, draftId }] = workspaces;
  const perform = async (action: string, send: (by: Pdm['editor']) => Promise<Answer>, changedBy = 'Ed Editor') => {
    await pdm.admin.patch(`/documents/${id}`, { description: `before: ${action}` });
    const { status, body } = await send(pdm.editor);
    const { updatedBy } = (await pdm.viewer.get(`/documents/${id}`)).body;
    expect([action, status < 300, updatedBy.name]).toEqual([action, true, changedBy]);
    return body;
  };

  await perform('upload', (by) => by.upload(draftId, 'attachment.note', 'one'));
  const { id: version } = await perform('version', (by) => by.post(`/workspaces/${main}/versions`, {}));
  await perform('comment', (by) => by.patch(`/versions/${version}`, { comment: 'First' }));
  const { id: revision } = await perform('release', (by) => by.post(`/versions/${version}/release`, {}));
  await perform('release comment', (by) => by.patch(`/revisions/${revision}`, { comment: 'First' }));
  await perform('obsolete', (by) => by.post(`/revisions/${revision}/obsolete`));
  const branch = await perform('branch', (by) =>
    by.post(`/documents/${id}/workspaces`, { name: 'what-if', fromVersionId: version }),
  );
  const branchPath = `/workspaces/${branch.id}`;
  await perform('rename', (by) => by.patch(branchPath, { name: 'why-not' }));
  for (const action of ['checkout', 'checkin'])
    await perform(action, (by) => by.post(`${branchPath}/${action}`), 'Administrator');
  for (const action of ['archive', 'unarchive']) await perform(action, (by) => by.post(`${branchPath}/${action}`));
  await perform('remove', (by) => by.delete(`/versions/${branch.draftId}/artifacts/attachment.note`));
  for (const action of ['take-over', 'restore'])
    await perform(action, (by) => by.post(`${branchPath}/${action}`, { versionId: version }));
  await perform('delete', (by) => by.delete(branchPath));
});

test('finds a release whose file was exchanged in the database, although all hashes match', async () => {
  const [workspace] = document.workspaces;
  const forgedFile = Buffer.from('forged');
  for (const text of ['forged', 'drawing'])
    await pdm.editor.upload(workspace?.draftId ?? '', 'attachment.drawing', text, { fileName: 'drawing.txt' });
  const { id } = (await pdm.editor.post(`/workspaces/${workspace?.id}/versions`, {})).body;
  await pdm.editor.post(`/versions/${id}/release`, {});
  const { db } = pdm.services.mongo;
  const artifacts = collection({ db }, 'artifacts');
  const versions = collection({ db }, 'versions');
  const [artifact, version] = [
    await artifacts.findOne({ versionId: id, kind: 'attachment.drawing' }),
    await versions.findOne({ _id: id }),
  ];
  const sha256 = createHash('sha256').update(forgedFile).digest('hex');

  await artifacts.updateOne({ _id: artifact!._id }, { $set: { sha256, size: forgedFile.length } });
  const files = await artifacts.find({ versionId: id }).toArray();
  await versions.updateOne({ _id: id }, { $set: { contentHash: contentHash(files) } });
  const { verdict, errors } = (await pdm.admin.get('/audit/verify?waitSeconds=50')).body;
  await artifacts.replaceOne({ _id: artifact!._id }, artifact!);
  await versions.replaceOne({ _id: id }, version!);

  expect(verdict).toBe('tampered');
  expect(errors).toMatchObject([
    { collection: 'versions', id, field: 'contentHash', expected: version!.contentHash, actual: contentHash(files) },
    { collection: 'artifacts', id: artifact!._id, field: 'size', expected: 7, actual: 6 },
    { collection: 'artifacts', id: artifact!._id, field: 'sha256', expected: artifact!.sha256, actual: sha256 },
  ]);
  const again = (await pdm.admin.get('/audit/verify?waitSeconds=50')).body;
  expect(again).toMatchObject({ verdict: 'intact', errors: [], moreErrors: 0, compared: expect.any(Number) });
});
