// Small files are converted while large ones keep all other slots busy.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fakeEngine } from '../../scheduler/engines/fake-engine.ts';
import { type Scheduler, startScheduler } from '../../scheduler/scheduler.ts';
import { createLog } from '../../subgraphs/core/platform/log.ts';
import { createModelDocument } from '../support/model-documents.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';

const LARGE = `ISO-10303-21;${' '.repeat(2_000_000)}`;
const workDir = mkdtempSync(join(tmpdir(), 'scheduler-'));
let pdm: Pdm;
let scheduler: Scheduler;

beforeAll(async () => {
  pdm = await startPdm();
});
afterAll(async () => {
  await scheduler?.stop();
  await pdm.close();
  rmSync(workDir, { recursive: true, force: true });
});

/** Uploads a source to a new model; returns its job. */
async function queue(source: string) {
  const { draftId } = await createModelDocument(pdm, 'Part');
  const { body } = await pdm.editor.upload(draftId, 'source', source, { fileName: 'part.step' });
  return (await pdm.viewer.get(`/jobs/${body.jobId}`)).body;
}
const statusOf = async ({ id }: { id: string }) => (await pdm.viewer.get(`/jobs/${id}`)).body.status;

test('hands out light jobs only to claims that ask for them, the oldest first', async () => {
  const claim = (body: object) => pdm.worker.post('/jobs/claim', { workerId: 'w', environment: {}, ...body });
  const first = await queue(LARGE);
  const second = await queue('ISO-10303-21; second');
  const third = await queue('ISO-10303-21; third');
  expect([first, second].map(({ inputBytes }) => inputBytes)).toEqual([2_000_013, 20]);
  expect((await claim({ light: true, types: ['export', 'run'] })).status).toBe(204);
  expect(await claim({ light: true, environment: null })).toMatchObject({
    status: 400,
    body: { code: 'validation_failed', errors: [{ path: '/environment' }] },
  });
  expect((await claim({ light: true })).body).toMatchObject({ id: second.id });
  expect((await claim({ light: true })).body).toMatchObject({ id: third.id });
  expect((await claim({ light: true })).status).toBe(204);
  expect((await claim({})).body).toMatchObject({ id: first.id });
  for (const { id } of [first, second, third]) await pdm.worker.post(`/jobs/${id}/complete`, {});
});

test('converts small files while a large one keeps the other slot busy', async () => {
  const large = Promise.withResolvers<void>();
  const blocked = Promise.withResolvers<void>();
  const engine = fakeEngine({
    slots: 2,
    lightSlots: 1,
    respond: async (_job, _on, call) => {
      if (call > 1) return { artifacts: [] };
      blocked.resolve();
      await large.promise;
      return { artifacts: [] };
    },
  });
  const log = createLog({ name: 'test', pretty: false, level: process.env.PDM_TEST_LOG ?? 'silent' });
  const options = { apiUrl: `${pdm.url}/api/v1`, token: pdm.tokens.worker, host: '127.0.0.1', port: 0, workDir };
  scheduler = await startScheduler({ ...options, engine, log });
  const first = await queue(LARGE);
  await blocked.promise;
  const waiting = await queue(`${LARGE} again`);
  for (const n of [1, 2]) {
    const small = await queue(`ISO-10303-21; small ${n}`);
    await expect.poll(() => statusOf(small), { timeout: 20_000 }).toBe('done');
  }
  expect([await statusOf(first), await statusOf(waiting)]).toEqual(['running', 'waiting']);
  large.resolve();
  for (const job of [first, waiting]) await expect.poll(() => statusOf(job), { timeout: 20_000 }).toBe('done');
});
