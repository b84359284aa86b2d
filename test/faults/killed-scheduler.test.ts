// A scheduler that is killed during a job: another one completes the job, and no process or file of the first remains.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bracket, stepOf } from '../../scheduler/engines/occt/test-models.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';

let pdm: Pdm;
const dataDir = mkdtempSync(join(tmpdir(), 'pdm-scheduler-'));
const children: ChildProcess[] = [];

beforeAll(async () => {
  pdm = await startPdm({ settings: { PDM_JOB_LEASE_SECONDS: '3' } });
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await pdm.close();
  rmSync(dataDir, { recursive: true, force: true });
});

async function startScheduler(): Promise<{ child: ChildProcess; url: string }> {
  const env = {
    PATH: process.env.PATH,
    PDM_DATA_DIR: dataDir,
    PDM_SCHEDULER_PORT: '0',
    PDM_ROLES: 'scheduler',
    PDM_LOG_LEVEL: 'fatal',
    PDM_API_URL: `${pdm.url}/api/v1`,
    PDM_WORKER_TOKEN: pdm.tokens.worker,
  };
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../scheduler/main.ts')], {
    env,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  children.push(child);
  const [{ url }] = (await once(child, 'message')) as [{ url: string }];
  return { child, url };
}

async function queued(): Promise<string> {
  const { body } = await pdm.editor.post('/documents', { name: 'Assembly', kind: 'model' });
  const [main] = (await pdm.viewer.get(`/documents/${body.id}/workspaces`)).body.items;
  await pdm.editor.upload(main.draftId, 'source', await stepOf(bracket()), { fileName: 'bracket.step' });
  return (await pdm.viewer.get(`/versions/${main.draftId}/jobs?limit=1`)).body.items[0].id;
}

async function until(id: string, wanted: (job: { status: string; progress: { percent: number } | null }) => boolean) {
  for (;;) {
    const { body } = await pdm.viewer.get(`/jobs/${id}`);
    if (wanted(body) || ['done', 'failed'].includes(body.status)) return body;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

test('ends the engine of a killed scheduler and completes its job in the next scheduler', {
  timeout: 120_000,
}, async () => {
  const id = await queued();
  const first = await startScheduler();
  await until(id, ({ progress }) => progress !== null);
  const { engines } = await (await fetch(`${first.url}/scheduler/status`)).json();
  first.child.kill('SIGKILL');
  expect((await until(id, ({ status }) => status === 'waiting')).status).toBe('waiting');
  await startScheduler();

  const job = await until(id, ({ status }) => status === 'done');
  expect(job).toMatchObject({ status: 'done', attempt: 2 });
  expect(job.log.map(({ line }: { line: string }) => line)).toContainEqual(
    expect.stringMatching(/^Worker .* disappeared \(1 of 3\)\.$/),
  );
  await expect.poll(() => isAlive(engines[0].slots[0].pid), { timeout: 20_000 }).toBe(false);
});

test('exits with 0 and counts no attempt when the scheduler is terminated during a job', {
  timeout: 120_000,
}, async () => {
  for (const child of children) child.kill('SIGKILL');
  const id = await queued();
  const { child } = await startScheduler();
  await until(id, ({ status }) => status === 'running');
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
  const { body: left } = await pdm.viewer.get(`/jobs/${id}`);
  expect(['waiting', 'done']).toContain(left.status);

  await startScheduler();
  const job = await until(id, ({ status }) => status === 'done');
  expect(job.status).toBe('done');
  expect(JSON.stringify(job.log)).not.toContain('disappeared');
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
