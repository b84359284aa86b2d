// NATS missing, stopped, without its stream or its store: jobs are delayed, but none is lost or done twice.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'nats';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fakeEngine } from '../../scheduler/engines/fake-engine.ts';
import { startScheduler } from '../../scheduler/scheduler.ts';
import { natsPermits } from '../../subgraphs/core/platform/dispatch-nats.ts';
import { createLog } from '../../subgraphs/core/platform/log.ts';
import { collection } from '../../subgraphs/core/store/query/scope.ts';
import { violatedInvariants } from '../support/invariants.ts';
import { type TestNats, testNats } from '../support/nats-server.ts';
import { needs } from '../support/needs.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';
import { TEST_QUERY_COMMENT } from '../support/query-plans.ts';

const log = createLog({ name: 'test', pretty: false, level: process.env.PDM_TEST_LOG ?? 'silent' });
let nats: TestNats;
let pdm: Pdm;
let draftId: string;
const schedulers: { url: string; stop(): Promise<void> }[] = [];
const folders: string[] = [];
const queued: string[] = [];

/** Uploads sources one after the other, so that each is its own job, and waits until all jobs have ended. */
async function convert(count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    const { body } = await pdm.editor.upload(draftId, 'source', `ISO-10303-21; ${queued.length}`, {
      fileName: 'part.step',
    });
    expect(body.id).toBeDefined();
    const [job] = (await pdm.viewer.get(`/versions/${draftId}/jobs?limit=1`)).body.items;
    queued.push(job.id);
    for (let status = job.status; !['done', 'failed'].includes(status); ) {
      await new Promise((resolve) => setTimeout(resolve, 60));
      status = (await pdm.viewer.get(`/jobs/${job.id}`)).body.status;
    }
  }
}

const statuses = () => Promise.all(schedulers.map(async ({ url }) => (await fetch(`${url}/scheduler/status`)).json()));
const modes = async () => (await statuses()).map(({ mode }) => mode);
const standing = async () =>
  (await statuses()).map(({ nats: { reachable, lastError } }) => [reachable, lastError !== null]);
async function untilMode(wanted: string): Promise<void> {
  while (!(await modes()).every((mode) => mode === wanted)) await new Promise((resolve) => setTimeout(resolve, 20));
}

const natsServer = needs('nats-server');
describe.skipIf(natsServer.isMissing)(natsServer.title('two schedulers with a failing NATS'), () => {
  beforeAll(async () => {
    nats = await testNats();
    pdm = await startPdm({ settings: { NATS_URL: nats.url } });
    const { body } = await pdm.editor.post('/documents', { name: 'Bracket', kind: 'model' });
    draftId = (await pdm.viewer.get(`/documents/${body.id}/workspaces`)).body.items[0].draftId;
    for (let n = 0; n < 2; n++) {
      const workDir = mkdtempSync(join(tmpdir(), 'scheduler-'));
      folders.push(workDir);
      const engine = fakeEngine({ environment: { engine: 'occt' }, respond: () => ({ artifacts: [] }) });
      const permits = natsPermits({ url: nats.url, log });
      const options = {
        apiUrl: `${pdm.url}/api/v1`,
        token: pdm.tokens.worker,
        host: '127.0.0.1',
        port: 0,
        workDir,
        engine,
        log,
        permits,
      };
      schedulers.push(await startScheduler(options));
    }
  });
  afterAll(async () => {
    for (const { stop } of schedulers) await stop();
    await pdm?.close();
    await nats?.close();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });

  test('completes every job once, at its first attempt', { timeout: 120_000 }, async () => {
    expect(await modes()).toEqual(['poll', 'poll']);
    await expect.poll(standing).toEqual(Array(2).fill([false, true]));
    await convert(2);
    await nats.start();
    await untilMode('nats');
    expect(await standing()).toEqual(Array(2).fill([true, false]));
    await convert(2);

    const other = await connect({ servers: nats.url });
    await (await other.jetstreamManager()).streams.delete('PDM_JOBS');
    await other.close();
    await convert(2);

    await nats.stop();
    await convert(2);
    nats.wipe();
    await nats.start();
    await untilMode('nats');
    await convert(2);

    const scope = { db: pdm.services.mongo.db };
    const jobs = await collection(scope, 'jobs').find({}, { comment: TEST_QUERY_COMMENT }).toArray();
    expect(jobs.map(({ _id }) => _id).sort()).toEqual([...queued].sort());
    expect(jobs.every(({ status, attempt, lost }) => status === 'done' && attempt === 1 && lost === 0)).toBe(true);
    const completions = await collection(scope, 'audit').find({ action: 'job.completed' }).toArray();
    expect(completions.map(({ jobId }) => jobId).sort()).toEqual([...queued].sort());
    expect(await violatedInvariants(scope)).toEqual([]);
  });

  test('finds a job by polling when no notification arrives', async () => {
    const { notify } = pdm.services.dispatch;
    pdm.services.dispatch.notify = () => {};
    await convert(1);
    pdm.services.dispatch.notify = notify;
    expect((await pdm.viewer.get(`/jobs/${queued.at(-1)}`)).body).toMatchObject({ status: 'done', attempt: 1 });
  });
});
