// Damaged CAD files through the API, the scheduler and the sandboxed engine.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FAILURES } from '../../scheduler/engines/occt/job-failure.ts';
import { binaryStl } from '../../scheduler/engines/occt/mesh/test-meshes.ts';
import { bracket, stepOf } from '../../scheduler/engines/occt/test-models.ts';
import { mutants } from '../../scheduler/engines/occt/test-mutants.ts';
import { createSandbox } from '../../scheduler/sandbox/sandbox.ts';
import { startEngine, uploadModel } from '../support/engine.ts';
import { testIsolation } from '../support/isolation.ts';
import { jobWhen } from '../support/job-when.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';

const COUNT = 24;
const SECONDS = 30;

let pdm: Pdm;
let engine: { stop(): Promise<void> };
beforeAll(async () => {
  const instance = createSandbox(() => undefined, testIsolation());
  const { works, reason } = await instance.probe();
  if (!works) console.warn(`NOT PROVEN HERE: damaged files are converted without a sandbox, because ${reason}`);
  pdm = await startPdm();
  engine = await startEngine(pdm, {
    slots: 2,
    timeoutSeconds: { convert: SECONDS },
    ...(works ? { sandbox: { instance, mode: 'strict' } } : {}),
  });
});
afterAll(async () => {
  await engine.stop();
  await pdm.close();
});

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
  for (const { bytes, fileName } of [...steps, ...others]) uploads.push(await uploadModel(pdm, bytes, fileName));
  const codes = new Set<string>();
  for (const { path, source } of uploads) {
    const job = await jobWhen(pdm, source.jobId);
    expect(['done', 'failed']).toContain(job.status);
    if (job.status === 'done') expect(await kindsOf(path)).toEqual(expect.arrayContaining(['glb', 'properties']));
    else {
      codes.add(job.error.code);
      expect(FAILURES).toHaveProperty(job.error.code, expect.objectContaining({ final: true }));
      expect(await kindsOf(path)).toEqual(['source']);
    }
  }
  expect(codes.size).toBeGreaterThan(3);
  const { path, source } = await uploadModel(pdm, valid, 'bracket.step');
  expect(await jobWhen(pdm, source.jobId)).toMatchObject({ status: 'done' });
  expect(await kindsOf(path)).toEqual(expect.arrayContaining(['glb', 'measure', 'properties', 'stp', 'thumbnail']));
  expect((await pdm.viewer.get('/health')).status).toBe(200);
});
