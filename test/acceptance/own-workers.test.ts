// Workers that anybody can write, against the service itself: the example on the SDK, the example in plain Python, and one that blocks its event loop.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { sha256Of } from '../support/content.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';

const home = join(import.meta.dirname, '../..');
const SOURCE = "ISO-10303-21;\n#1=CARTESIAN_POINT('',(0.,-1.,2.));\n#2=CARTESIAN_POINT('',(10.,20.,30.5));\nEND-ISO-10303-21;\n";
const BOX = { boundingBox: { min: [0, -1, 2], max: [10, 20, 30.5] } };
const python = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 8))']).status === 0;

let pdm: Pdm;
const workers: { child: ChildProcess; exit: Promise<unknown[]> }[] = [];
beforeAll(async () => {
  pdm = await startPdm({ settings: { PDM_JOB_LEASE_SECONDS: '3' } });
});
afterEach(async () => {
  for (const { child, exit } of workers.splice(0)) {
    child.kill('SIGKILL');
    await exit;
  }
});
afterAll(() => pdm.close());

function work(command: string, file: string) {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, PDM_URL: pdm.url, PDM_TOKEN: pdm.tokens.worker };
  const child = spawn(command, [join(home, file)], { env, stdio: ['ignore', 'ignore', process.env.PDM_TEST_LOG ? 'inherit' : 'ignore'] });
  const worker = { child, exit: once(child, 'exit') };
  workers.push(worker);
  return worker;
}

async function queued(source: string) {
  const { body } = await pdm.editor.post('/documents', { name: 'Bracket', kind: 'model' });
  const draftId = (await pdm.viewer.get(`/documents/${body.id}/workspaces`)).body.items[0].draftId;
  await pdm.editor.upload(draftId, 'source', source, { fileName: 'Träger.step' });
  return { draftId, id: (await pdm.viewer.get(`/versions/${draftId}/jobs?limit=1`)).body.items[0].id };
}

type Job = {
  status: string;
  attempt: number;
  error: { code: string; message: string; final: boolean } | null;
  log: { line: string }[];
  progress: unknown;
};
async function until(id: string, found: (job: Job) => boolean): Promise<Job> {
  for (;;) {
    const { body } = await pdm.viewer.get(`/jobs/${id}`);
    if (found(body)) return body;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
const ended = (id: string) => until(id, ({ status }) => !['waiting', 'running'].includes(status));

describe.each([
  { name: 'on the SDK', command: process.execPath, file: 'examples/workers/point-box.ts', generator: 'point-box/1.0', here: true },
  { name: 'in plain Python', command: 'python3', file: 'examples/workers/point_box.py', generator: 'point-box-py/1.0', here: python },
])('the example $name', ({ command, file, generator, here }) => {
  test.skipIf(!here)(`does a job, fails what it cannot do, and ends when asked to${here ? '' : ' (python3 is not installed)'}`, async () => {
    const good = await queued(SOURCE);
    const { child, exit } = work(command, file);
    expect(await ended(good.id)).toMatchObject({ status: 'done', attempt: 1, error: null });
    const { items } = (await pdm.viewer.get(`/versions/${good.draftId}/artifacts`)).body;
    expect(items).toContainEqual(expect.objectContaining({ kind: 'properties', generator, inputSha256: sha256Of(SOURCE), jobId: good.id }));
    expect((await pdm.viewer.get(`/versions/${good.draftId}/artifacts/properties/file`)).body).toEqual(BOX);

    const bad = await queued('nothing that has points');
    expect(await ended(bad.id)).toMatchObject({ status: 'failed', error: { final: true, message: expect.stringContaining('has no points') } });

    child.kill('SIGTERM');
    expect(await exit).toEqual([0, null]);
  });
});

test('a handler that blocks its event loop for longer than a lease keeps the job, and its log lines arrive meanwhile', async () => {
  const { id } = await queued('4500');
  work(process.execPath, 'test/support/blocking-worker.ts');
  await until(id, ({ status, log }) => status === 'running' && log.some(({ line }) => line === 'blocking'));
  expect(await ended(id)).toMatchObject({ status: 'done', attempt: 1 });
});
