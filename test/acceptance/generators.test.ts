// A generator from its repository to versioned documents: fetched, run in the sandbox of this machine, stored.
// PDM_TEST_SANDBOX_ENGINE runs it in containers instead (test/support/isolation.ts).
import { cpSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { probeSandbox } from '../../scheduler/sandbox/probe.ts';
import { repository } from '../support/git-server.ts';
import { violatedInvariants } from '../support/invariants.ts';
import { testIsolation } from '../support/isolation.ts';
import { jobWhen } from '../support/job-when.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';

let pdm: Pdm;
let root: string;
let mode: string;
beforeAll(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'pdm-repositories-')));
  const isolation = testIsolation();
  const { works, reason } = await probeSandbox(isolation);
  mode = works ? isolation.mode : 'trusted';
  if (!works) console.warn(`NOT PROVEN HERE: generators run without a sandbox in this test, because ${reason}`);
  const container: Record<string, string> =
    isolation.mode === 'container' ? { PDM_SANDBOX_ENGINE: isolation.engine, PDM_SANDBOX_IMAGE: isolation.image } : {};
  const settings = { PDM_GIT_ALLOWED_FOLDERS: root, PDM_SANDBOX: mode, ...container, PDM_RUN_TIMEOUT_SECONDS: '110' };
  pdm = await startPdm({ scheduler: true, settings });
});
afterAll(async () => {
  await pdm?.close();
  rmSync(root, { recursive: true });
});

test('creates parts and an assembly of a rack, with measures, and keeps the log', {
  timeout: 120_000,
}, async () => {
  const repo = repository(root, 'rack');
  cpSync(new URL('../../examples/generators/rack', import.meta.url), repo.folder, { recursive: true });
  const commit = repo.commit({});
  const { body } = await pdm.editor.post('/documents', { name: 'Rack generator', kind: 'code' });
  const draft = body.workspaces[0].draftId;
  await pdm.editor.put(`/versions/${draft}/code`, { repoUrl: repo.folder, ref: 'main' });
  expect((await pdm.editor.post(`/versions/${draft}/code/sync`)).body.code.commit).toBe(commit);

  const run = (await pdm.editor.post(`/versions/${draft}/runs`, { params: { width: 600 } })).body;
  const job = await jobWhen(pdm, run.job.id);
  expect(job.error).toBeNull();
  const { documents, isolation } = (await pdm.viewer.get(`/runs/${run.id}`)).body;
  expect(isolation).toBe(mode);
  const rack = documents.find(({ kind }: { kind: string }) => kind === 'assembly');
  const version = (await pdm.viewer.get(`/documents/${rack.id}`)).body.versions[0];
  const properties = (await pdm.viewer.get(`/versions/${version.id}/artifacts/properties/file`)).body;
  expect(properties.boundingBox.size[0]).toBeCloseTo(600, 6);
  expect(job.log.map(({ line }: { line: string }) => line)).toEqual(
    expect.arrayContaining([expect.stringContaining('entry rack.ts'), 'created 4 documents']),
  );
  expect(await violatedInvariants({ db: pdm.services.mongo.db })).toEqual([]);
});

test('reports the error of a failed generator in its job and creates no document', { timeout: 120_000 }, async () => {
  const repo = repository(root, 'broken');
  repo.commit({
    'generator.json': JSON.stringify({ name: 'broken', version: '1', entry: 'broken.ts' }),
    'broken.ts': 'import fs from "node:fs"; export default (params: object): unknown => fs.readdirSync("/");',
  });
  const { body } = await pdm.editor.post('/documents', { name: 'Broken generator', kind: 'code' });
  const draft = body.workspaces[0].draftId;
  await pdm.editor.put(`/versions/${draft}/code`, { repoUrl: repo.folder, ref: 'main' });
  await pdm.editor.post(`/versions/${draft}/code/sync`);
  const before = (await pdm.viewer.get('/documents?total=true')).body.total;
  const run = (await pdm.editor.post(`/versions/${draft}/runs`)).body;
  expect((await jobWhen(pdm, run.job.id)).error).toEqual({
    code: 'generator_import',
    message: 'a generator may import only its own files and replicad, not node:fs',
    final: true,
  });
  expect((await pdm.viewer.get('/documents?total=true')).body.total).toBe(before);
});
