// Damaged CAD files through the API, the scheduler and the sandboxed engine.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { occtEngine } from '../../scheduler/engines/occt/engine.ts';
import { FAILURES } from '../../scheduler/engines/occt/job-failure.ts';
import { binaryStl } from '../../scheduler/engines/occt/mesh/test-meshes.ts';
import { bracket, stepOf } from '../../scheduler/engines/occt/test-models.ts';
import { mutants } from '../../scheduler/engines/occt/test-mutants.ts';
import { createSandbox } from '../../scheduler/sandbox/sandbox.ts';
import { startScheduler } from '../../scheduler/scheduler.ts';
import { jobWhen } from '../support/job-when.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';

const COUNT = 24;
const SECONDS = 30;

let pdm: Pdm;
let scheduler: { stop(): Promise<void> };
const workDir = mkdtempSync(join(tmpdir(), 'pdm-damaged-files-'));
const instance = createSandbox(() => undefined);
beforeAll(async () => {
  pdm = await startPdm();
  const engine = occtEngine({
    slots: 2,
    workDir,
    lowMemory: true,
    timeoutSeconds: { convert: SECONDS },
    // Without a sandbox on this machine, a child process converts the files.
    sandbox: { instance, mode: 'auto' },
    log: () => undefined,
  });
  const api = { apiUrl: `${pdm.url}/api/v1`, token: pdm.tokens.worker };
  scheduler = await startScheduler({ ...api, host: '127.0.0.1', port: 0, workDir, engine, log: pdm.services.log });
});
afterAll(async () => {
  await scheduler.stop();
  await pdm.close();
  rmSync(workDir, { recursive: true, force: true });
});

/** Uploads the source of a new model and returns its path and its job. */
async function upload(bytes: Buffer, fileName: string): Promise<{ path: string; jobId: string }> {
  const { body: document } = await pdm.editor.post('/documents', { name: fileName, kind: 'model' });
  const [workspace] = (await pdm.viewer.get(`/documents/${document.id}/workspaces`)).body.items;
  const { status, body } = await pdm.editor.upload(workspace.draftId, 'source', bytes, { fileName });
  expect(status).toBe(201);
  return { path: `/versions/${workspace.draftId}`, jobId: body.jobId };
}

const kindsOf = async (path: string) =>
  (await pdm.viewer.get(`${path}/artifacts`)).body.items.map(({ kind }: { kind: string }) => kind).sort();

test(`converts each of ${COUNT} damaged files or fails its job with a final code, and converts the next file`, {
  timeout: 120_000 + COUNT * SECONDS * 1000,
}, async () => {
  const valid = await stepOf(bracket());
  const steps = [...mutants(valid, COUNT)].map((bytes, i) => ({ bytes, fileName: `damaged ${i}.step` }));
  const others = [
    { bytes: binaryStl().subarray(0, 200), fileName: 'damaged.stl' },
    { bytes: Buffer.from('PK\x03\x04 Document.xml', 'latin1'), fileName: 'damaged.FCStd' },
    { bytes: Buffer.from('DBRep_DrawableShape\nCASCADE Topology V1\n'), fileName: 'damaged.brep' },
  ];
  const uploads = [];
  for (const { bytes, fileName } of [...steps, ...others]) uploads.push(await upload(bytes, fileName));
  const codes = new Set<string>();
  for (const { path, jobId } of uploads) {
    const job = await jobWhen(pdm, jobId);
    expect(['done', 'failed']).toContain(job.status);
    if (job.status === 'done') expect(await kindsOf(path)).toEqual(expect.arrayContaining(['glb', 'properties']));
    else {
      codes.add(job.error.code);
      expect(FAILURES).toHaveProperty(job.error.code, expect.objectContaining({ final: true }));
      expect(await kindsOf(path)).toEqual(['source']);
    }
  }
  expect(codes.size).toBeGreaterThan(3);
  const { path, jobId } = await upload(valid, 'bracket.step');
  expect(await jobWhen(pdm, jobId)).toMatchObject({ status: 'done' });
  expect(await kindsOf(path)).toEqual(expect.arrayContaining(['glb', 'measure', 'properties', 'stp', 'thumbnail']));
  expect((await pdm.viewer.get('/health')).status).toBe(200);
});
