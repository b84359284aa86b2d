// The worker routes as a third-party worker uses them.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { issueTokenTo } from '../../subgraphs/documents/access/issue-token.ts';
import { type Client, client } from '../support/client.ts';
import { sha256Of } from '../support/content.ts';
import { jobWhen } from '../support/job-when.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';
import { resultFile } from '../support/result-files.ts';

const SOURCE = 'ISO-10303-21; a bracket';
const WORKER = { workerId: 'w-1', environment: { engine: 'occt' } };
let pdm: Pdm;
let other: Client;
let draftId: string;
let documentId: string;

beforeAll(async () => {
  pdm = await startPdm({ settings: { PDM_JOB_LEASE_SECONDS: '2' } });
  other = client(
    `${pdm.url}/api/v1`,
    await issueTokenTo(pdm.services, { role: 'worker', name: 'Other Worker', days: 1 }),
  );
});
afterAll(() => pdm.close());
beforeEach(async () => {
  const { body } = await pdm.editor.post('/documents', { name: 'Bracket', kind: 'model' });
  documentId = body.id;
  draftId = (await pdm.viewer.get(`/documents/${body.id}/workspaces`)).body.items[0].draftId;
});

/** Uploads a source, which queues a job; returns the id of the job. */
async function queued(source = SOURCE): Promise<string> {
  await pdm.editor.upload(draftId, 'source', source, { fileName: 'bracket.step' });
  return (await pdm.viewer.get(`/versions/${draftId}/jobs?limit=1`)).body.items[0].id;
}

async function claimed(worker: Client = pdm.worker, body: object = WORKER) {
  const answer = await worker.post('/jobs/claim', body);
  expect(answer.status).toBe(200);
  return answer.body;
}

const read = async (id: string) => (await pdm.viewer.get(`/jobs/${id}`)).body;
const untilStatus = (id: string, status: string) => jobWhen(pdm, id, (job) => job.status === status);
const result = (worker: Client, headers: Record<string, string> = {}) =>
  worker.upload(draftId, 'properties', '{"units":"mm"}', {
    fileName: 'bracket.json',
    headers: { 'x-generator': 'test/1', 'x-input-sha256': sha256Of(SOURCE), ...headers },
  });

test('provides context, input, progress, results and log from the claim to the completion of a job', async () => {
  const id = await queued();
  const job = await claimed();
  expect(job).toMatchObject({
    id,
    versionId: draftId,
    documentId,
    type: 'convert',
    status: 'running',
    attempt: 1,
    workerId: 'w-1',
    leaseSeconds: 2,
    heartbeatSeconds: 1,
  });
  expect(job.inputSha256).toBe(sha256Of(SOURCE));
  expect((await pdm.worker.post('/jobs/claim', WORKER)).status).toBe(204);

  const { body: context } = await pdm.worker.get(`/jobs/${id}/context`);
  expect(context).toMatchObject({
    document: { id: documentId, name: 'Bracket', kind: 'model' },
    version: { id: draftId, type: 'draft' },
    params: null,
  });
  expect(context.files).toMatchObject([
    { kind: 'source', fileName: 'bracket.step', sha256: sha256Of(SOURCE), size: SOURCE.length },
  ]);
  expect((await pdm.worker.get(context.files[0].url.replace('/api/v1', ''))).bytes.toString()).toBe(SOURCE);

  const heartbeat = await pdm.worker.post(`/jobs/${id}/heartbeat`, {
    attempt: 1,
    percent: 50,
    step: 'measured',
    log: ['one solid'],
  });
  expect(heartbeat.body).toMatchObject({ cancelRequested: false });
  expect(await read(id)).toMatchObject({ progress: { percent: 50, step: 'measured' }, log: [{ line: 'one solid' }] });

  expect((await result(pdm.worker, { 'x-job-attempt': '1' })).status).toBe(201);
  expect((await pdm.worker.post(`/jobs/${id}/complete`, { log: ['all well'] })).body).toMatchObject({ status: 'done' });
  expect((await pdm.worker.post(`/jobs/${id}/complete`, { log: ['all well'] })).status).toBe(200);
  expect((await read(id)).log.map(({ line }: { line: string }) => line)).toEqual(['one solid', 'all well']);
  expect((await pdm.worker.post(`/jobs/${id}/heartbeat`, { attempt: 1 })).body).toMatchObject({ code: 'lease_lost' });
});

test('returns a job to a waiting worker as soon as it is queued', async () => {
  const answer = pdm.worker.post('/jobs/claim', { ...WORKER, waitSeconds: 30 });
  const id = await queued();
  expect((await answer).body).toMatchObject({ id });
  await pdm.worker.post(`/jobs/${id}/complete`, {});
});

test('assigns no job to a worker that disconnected while it waited', async () => {
  const gone = new AbortController();
  const headers = { authorization: `Bearer ${pdm.tokens.worker}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ ...WORKER, waitSeconds: 30 });
  const waiting = fetch(`${pdm.url}/api/v1/jobs/claim`, { method: 'POST', headers, body, signal: gone.signal }).catch(
    () => 'gone',
  );
  await pdm.viewer.get('/health');
  gone.abort();
  expect(await waiting).toBe('gone');
  const id = await queued();

  const job = await claimed(other, { ...WORKER, waitSeconds: 30 });
  expect(job.id).toBe(id);
  await other.post(`/jobs/${id}/complete`, {});
});

test('assigns only jobs of the supported types and environments', async () => {
  const id = await queued();
  expect((await pdm.worker.post('/jobs/claim', { ...WORKER, types: ['export', 'run'] })).status).toBe(204);
  expect((await pdm.worker.post('/jobs/claim', { ...WORKER, types: ['paint'] })).status).toBe(400);
  expect((await pdm.worker.post('/jobs/claim', { ...WORKER, waitSeconds: 51 })).body).toMatchObject({
    code: 'validation_failed',
  });
  expect((await pdm.worker.post('/jobs/claim', {})).status).toBe(400);
  await claimed(pdm.worker, { workerId: 'w-1', types: ['convert'], environment: ['engine:occt', 'gpu'] });
  await pdm.worker.post(`/jobs/${id}/complete`, {});
});

describe('a job that fails', () => {
  test('keeps the error and log of a failed job, for both forms of the error', async () => {
    const id = await queued();
    await claimed();
    const failed = await pdm.worker.post(`/jobs/${id}/fail`, { error: 'cannot read it', log: ['header read'] });
    expect(failed.body).toMatchObject({
      status: 'failed',
      error: { code: 'failed', message: 'cannot read it', final: false },
    });
    expect((await read(id)).log.map(({ line }: { line: string }) => line)).toEqual([
      'header read',
      'failed: cannot read it',
    ]);
    expect((await pdm.viewer.get('/jobs?status=failed')).body.items).toContainEqual(expect.objectContaining({ id }));

    expect((await pdm.editor.post(`/jobs/${id}/retry`)).body).toMatchObject({
      status: 'waiting',
      attempt: 1,
      error: null,
    });
    expect((await pdm.editor.post(`/jobs/${id}/retry`)).body).toMatchObject({ status: 409, code: 'job_not_failed' });
    expect(await claimed()).toMatchObject({ id, attempt: 2 });
    const again = await pdm.worker.post(`/jobs/${id}/fail`, {
      error: { code: 'not_step', message: 'not a STEP file' },
      final: true,
    });
    expect(again.body).toMatchObject({ status: 'failed', error: { code: 'not_step', final: true } });
  });

  test('retries a job automatically that failed for a temporary reason', async () => {
    const id = await queued();
    await claimed();
    const crash = { error: { code: 'engine_crashed', message: 'the engine ended' }, retryable: true };
    expect((await pdm.worker.post(`/jobs/${id}/fail`, { ...crash, attempt: 1 })).body).toMatchObject({
      status: 'waiting',
    });
    expect(await claimed(pdm.worker, { ...WORKER, waitSeconds: 30 })).toMatchObject({ id, attempt: 2 });
    await pdm.worker.post(`/jobs/${id}/complete`, { attempt: 2 });
  });
});

test('rejects calls of a worker whose lease expired', async () => {
  const id = await queued();
  await claimed();
  await untilStatus(id, 'waiting');
  expect(await claimed(other, { ...WORKER, workerId: 'w-2' })).toMatchObject({ id, attempt: 2 });
  const heartbeats = setInterval(() => other.post(`/jobs/${id}/heartbeat`, { attempt: 2 }), 500);

  const dead = { attempt: 1 };
  for (const [action, body] of Object.entries({
    heartbeat: dead,
    complete: dead,
    fail: { ...dead, error: 'late' },
    'give-back': dead,
  }))
    expect((await pdm.worker.post(`/jobs/${id}/${action}`, body)).body).toMatchObject({
      status: 409,
      code: 'lease_lost',
    });
  expect((await pdm.worker.post(`/jobs/${id}/complete`, {}, { 'x-job-attempt': '1' })).body).toMatchObject({
    code: 'lease_lost',
  });
  expect((await result(pdm.worker, { 'x-job-attempt': '1' })).body).toMatchObject({ status: 409, code: 'lease_lost' });
  expect((await pdm.worker.get(`/jobs/${id}/context`)).status).toBe(409);

  expect((await result(other, { 'x-job-attempt': '2' })).status).toBe(201);
  clearInterval(heartbeats);
  expect((await other.post(`/jobs/${id}/complete`, { attempt: 2 })).body).toMatchObject({ status: 'done', attempt: 2 });
});

test('rejects calls of a worker that does not hold the job', async () => {
  const id = await queued();
  await claimed();
  for (const [action, body] of Object.entries({ heartbeat: {}, complete: {}, fail: { error: 'x' }, 'give-back': {} }))
    expect((await other.post(`/jobs/${id}/${action}`, body)).body).toMatchObject({ status: 403, code: 'not_your_job' });
  expect((await other.get(`/jobs/${id}/context`)).body).toMatchObject({ status: 403, code: 'not_your_job' });
  expect((await result(other)).body).toMatchObject({ status: 403, code: 'not_your_job' });
  await pdm.worker.post(`/jobs/${id}/complete`, {});
});

test('assigns a returned job to the next worker at once and rejects calls of the first one', async () => {
  const id = await queued();
  await claimed();
  expect((await pdm.worker.post(`/jobs/${id}/give-back`, { attempt: 1 })).body).toMatchObject({
    status: 'waiting',
    workerId: null,
  });
  expect(await claimed(other)).toMatchObject({ id, attempt: 2 });
  const first = { attempt: 1 };
  expect((await pdm.worker.post(`/jobs/${id}/give-back`, first)).body).toMatchObject({ status: 'running', attempt: 2 });
  for (const [action, body] of Object.entries({
    heartbeat: first,
    complete: first,
    fail: { ...first, error: 'x' },
    'give-back': first,
  }))
    expect((await other.post(`/jobs/${id}/${action}`, body)).body).toMatchObject({ status: 409, code: 'lease_lost' });
  await other.post(`/jobs/${id}/complete`, {});
});

test('notifies the worker of a cancelled job, and ends the job with its reply', async () => {
  const id = await queued();
  await claimed();
  expect((await pdm.editor.post(`/jobs/${id}/cancel`)).body).toMatchObject({ status: 'running' });
  expect((await pdm.worker.post(`/jobs/${id}/heartbeat`, { attempt: 1 })).body).toMatchObject({
    cancelRequested: true,
  });
  expect((await pdm.worker.post(`/jobs/${id}/fail`, { error: 'stopped' })).body).toMatchObject({
    status: 'cancelled',
    error: { code: 'cancelled' },
  });
  expect((await pdm.editor.post(`/jobs/${id}/cancel`)).body).toMatchObject({
    status: 409,
    code: 'job_not_cancellable',
  });
});

test('rejects damaged results with the errors of their validation and stores nothing', async () => {
  const id = await queued();
  await claimed();
  const headers = { 'x-generator': 'test/1', 'x-input-sha256': sha256Of(SOURCE) };
  const deliver = (kind: string, content: string | Buffer) => pdm.worker.upload(draftId, kind, content, { headers });
  for (const [kind, content, detail] of [
    ['glb', 'not a glb', 'The glb file is not valid: it is not a binary glTF file.'],
    ['properties', '{"volume": "large"}', /^The properties file is not valid: \/volume: .*"number", "null"\.$/],
    ['thumbnail', 'GIF89a', 'The thumbnail file is not valid: it is not a PNG image.'],
  ] as const)
    expect(await deliver(kind, content)).toMatchObject({
      status: 422,
      body: {
        code: 'invalid_result',
        detail: expect.stringMatching(detail),
        errors: [{ message: expect.any(String) }],
      },
    });
  expect((await deliver('glb', resultFile('glb', 'valid'))).status).toBe(201);
  const { items } = (await pdm.viewer.get(`/versions/${draftId}/artifacts`)).body;
  expect(items.map(({ kind }: { kind: string }) => kind).sort()).toEqual(['glb', 'source']);
  await pdm.worker.post(`/jobs/${id}/complete`, {});
});

test('supersedes a job when a newer source is uploaded', async () => {
  const id = await queued();
  await claimed();
  const newer = await queued('ISO-10303-21; a better bracket');
  expect((await result(pdm.worker, { 'x-job-attempt': '1' })).body).toMatchObject({ status: 409, code: 'stale_input' });
  const ended = await pdm.worker.post(`/jobs/${id}/fail`, {
    error: { code: 'stale_input', message: 'the source was replaced' },
  });
  expect(ended.body).toMatchObject({ status: 'cancelled', error: { code: 'superseded' } });
  expect(await claimed()).toMatchObject({ id: newer });
  await pdm.worker.post(`/jobs/${newer}/complete`, {});
});

test('applies the same rules to administrators and rejects other roles', async () => {
  const id = await queued();
  expect((await pdm.editor.post('/jobs/claim', WORKER)).body).toMatchObject({ status: 403, code: 'forbidden' });
  await claimed(pdm.admin);
  expect((await pdm.worker.post(`/jobs/${id}/complete`, {})).body).toMatchObject({ code: 'not_your_job' });
  expect((await pdm.admin.post(`/jobs/${id}/complete`, {})).body).toMatchObject({ status: 'done' });
});
