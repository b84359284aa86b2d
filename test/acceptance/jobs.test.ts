// Jobs in the API: lists, single jobs, retry and cancel.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Pdm, startPdm } from '../support/pdm.ts';

let pdm: Pdm;
beforeAll(async () => {
  pdm = await startPdm();
});
afterAll(() => pdm.close());

async function draft() {
  const { body } = await pdm.editor.post('/documents', { name: 'Bracket', kind: 'model' });
  const [main] = (await pdm.viewer.get(`/documents/${body.id}/workspaces`)).body.items;
  return { documentId: body.id as string, draftId: main.draftId as string };
}

async function upload(draftId: string, content: string): Promise<string> {
  await pdm.editor.upload(draftId, 'source', content);
  return (await pdm.viewer.get(`/versions/${draftId}/jobs?limit=1`)).body.items[0].id;
}

test('queues one job per source and replaces a waiting job when the source changes', async () => {
  const { draftId, documentId } = await draft();
  const first = await upload(draftId, 'one');
  expect(await upload(draftId, 'one')).toBe(first);
  const second = await upload(draftId, 'two');

  const { items, nextCursor } = (await pdm.viewer.get(`/versions/${draftId}/jobs`)).body;
  expect(items).toMatchObject([
    {
      id: second,
      versionId: draftId,
      documentId,
      type: 'convert',
      status: 'waiting',
      attempt: 0,
      maxAttempts: 3,
      error: null,
    },
    { id: first, status: 'cancelled', error: { code: 'superseded' } },
  ]);
  expect(nextCursor).toBeNull();
});

test('lists jobs newest first, page by page, with a total on request', async () => {
  const drafts = await Promise.all(Array.from({ length: 3 }, draft));
  const ids: string[] = [];
  for (const { draftId } of drafts) ids.push(await upload(draftId, 'part'));
  const cancelled = ids[1];
  await pdm.editor.post(`/jobs/${cancelled}/cancel`);

  const first = (await pdm.viewer.get('/jobs?limit=2')).body;
  const second = (await pdm.viewer.get(`/jobs?limit=2&cursor=${first.nextCursor}`)).body;
  expect([...first.items, ...second.items].map(({ id }) => id).slice(0, 3)).toEqual(ids.toReversed());
  const { body } = await pdm.viewer.get(`/jobs?documentId=${drafts[1]?.documentId}&status=cancelled&total=true`);
  expect(body).toMatchObject({ items: [{ id: cancelled }], nextCursor: null, total: 1 });
  const { number } = (await pdm.viewer.get(`/documents/${drafts[1]?.documentId}`)).body;
  expect((await pdm.viewer.get(`/jobs?documentId=${number.toLowerCase()}`)).body.items).toMatchObject([
    { id: cancelled },
  ]);
  expect((await pdm.viewer.get('/jobs?documentId=PRT-NOTHING')).status).toBe(400);
  expect((await pdm.viewer.get(`/jobs?versionId=${drafts[0]?.draftId}&type=convert`)).body.items).toHaveLength(1);
  expect((await pdm.viewer.get(`/jobs?versionId=${drafts[0]?.draftId}&type=export`)).body.items).toEqual([]);
  expect((await pdm.viewer.get(`/versions/${drafts[0]?.draftId}/jobs?cursor=`)).body.code).toBe('bad_cursor');
});

test.each([
  ['/jobs?limit=0', 400, 'validation_failed'],
  ['/jobs?limit=201', 400, 'validation_failed'],
  ['/jobs?status=lost', 400, 'validation_failed'],
  ['/jobs?cursor=bm90IG91cnM', 400, 'bad_cursor'],
  ['/jobs/job_unknown', 404, 'not_found'],
])('responds to %s with %i %s', async (path, status, code) => {
  const response = await pdm.viewer.get(path);
  expect([response.status, response.body.code]).toEqual([status, code]);
});

test('rejects a cursor of another list', async () => {
  const { draftId } = await draft();
  await upload(draftId, 'one');
  await upload(draftId, 'two');
  const { nextCursor } = (await pdm.viewer.get(`/versions/${draftId}/jobs?limit=1`)).body;
  expect((await pdm.viewer.get(`/jobs?cursor=${nextCursor}`)).body).toMatchObject({ code: 'bad_cursor' });
});

test('cancels a waiting job immediately and rejects a second cancel or a retry', async () => {
  const { draftId } = await draft();
  const id = await upload(draftId, 'part');
  expect((await pdm.editor.post(`/jobs/${id}/cancel`)).body).toMatchObject({
    status: 'cancelled',
    error: { code: 'cancelled' },
  });
  expect((await pdm.editor.post(`/jobs/${id}/cancel`)).body).toMatchObject({
    status: 409,
    code: 'job_not_cancellable',
  });
  expect((await pdm.editor.post(`/jobs/${id}/retry`)).body).toMatchObject({ status: 409, code: 'job_not_failed' });
  expect((await pdm.viewer.post(`/jobs/${id}/retry`)).status).toBe(403);
});

test('reports a requested cancellation of a running job until the worker stops', async () => {
  const { draftId } = await draft();
  const id = await upload(draftId, 'part');
  for (;;) {
    const { body } = await pdm.worker.post('/jobs/claim', { workerId: 'w-1' });
    expect(body).toMatchObject({ status: 'running', cancelRequested: false });
    if (body.id === id) break;
  }
  expect((await pdm.editor.post(`/jobs/${id}/cancel`)).body).toMatchObject({
    status: 'running',
    cancelRequested: true,
  });
  expect((await pdm.viewer.get(`/versions/${draftId}/jobs`)).body.items).toMatchObject([
    { id, status: 'running', cancelRequested: true },
  ]);
  await pdm.worker.post(`/jobs/${id}/fail`, { error: { code: 'stopped', message: 'stopped' } });
  expect((await pdm.viewer.get(`/jobs/${id}`)).body).toMatchObject({ status: 'cancelled', cancelRequested: false });
});

test('records everything that happens to a job in the audit log of its document', async () => {
  const { draftId, documentId } = await draft();
  const id = await upload(draftId, 'part');
  for (;;) {
    const { body } = await pdm.worker.post('/jobs/claim', { workerId: 'w-1' });
    if (body.id === id) break;
  }
  await pdm.worker.post(`/jobs/${id}/fail`, { error: { code: 'not_step', message: 'not a STEP file' } });
  await pdm.editor.post(`/jobs/${id}/retry`);
  await pdm.editor.post(`/jobs/${id}/cancel`);

  const { items } = (await pdm.viewer.get(`/documents/${documentId}/audit`)).body;
  const jobRecords = items.filter(({ action }: { action: string }) => action.startsWith('job.'));
  expect(jobRecords.map(({ action }: { action: string }) => action)).toEqual([
    'job.cancelled',
    'job.retried',
    'job.failed',
    'job.claimed',
  ]);
  expect(jobRecords.map(({ by }: { by: { name: string } }) => by.name)).toEqual([
    'Ed Editor',
    'Ed Editor',
    'Wo Worker',
    'Wo Worker',
  ]);
});

test('reads the newest job of a version and its version in GraphQL', async () => {
  const { draftId, documentId } = await draft();
  await upload(draftId, 'one');
  const id = await upload(draftId, 'two');
  const { body } = await pdm.viewer.graphql(
    `query ($id: ID!) { version(id: $id) { newestJob { id status document { id name } version { id } } jobs(limit: 1) { items { id } nextCursor } } }`,
    { id: draftId },
  );
  const expected = {
    newestJob: { id, status: 'waiting', document: { id: documentId, name: 'Bracket' }, version: { id: draftId } },
  };
  expect(body.data?.version).toMatchObject({ ...expected, jobs: { items: [{ id }], nextCursor: expect.any(String) } });
});
