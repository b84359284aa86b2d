// Sources in other formats than STEP, through the API and the built-in engine.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fcstd } from '../../scheduler/engines/occt/fcstd/test-documents.ts';
import { compileKernel, startKernel } from '../../scheduler/engines/occt/kernel.ts';
import { binaryStl } from '../../scheduler/engines/occt/mesh/test-meshes.ts';
import { startEngine, uploadModel } from '../support/engine.ts';
import { jobWhen } from '../support/job-when.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';

let pdm: Pdm;
let engine: { stop(): Promise<void> };
beforeAll(async () => {
  pdm = await startPdm();
  engine = await startEngine(pdm);
});
afterAll(async () => {
  await engine.stop();
  await pdm.close();
});

/** Uploads the source of a new model and waits for the end of its conversion. */
async function convert(bytes: Buffer, fileName: string) {
  const uploaded = await uploadModel(pdm, bytes, fileName);
  return { ...uploaded, job: await jobWhen(pdm, uploaded.source.jobId) };
}

/** A FreeCAD document with a box of 10 × 20 × 30 mm. */
async function testDocument(): Promise<Buffer> {
  const kernel = await startKernel(await compileKernel());
  using maker = new kernel.BRepPrimAPI_MakeBox(10, 20, 30);
  using box = maker.Shape();
  const properties = { Shape: '<Part file="box.brp"/>' };
  return fcstd([{ name: 'Box', type: 'Part::Box', properties }], { 'box.brp': kernel.BRepToolsWrapper.Write(box) });
}

test('converts an STL file to everything but STEP, and exports it', async () => {
  const { job, source, path } = await convert(binaryStl(), 'Box.STL');
  expect(job).toMatchObject({ status: 'done' });
  expect(source.contentType).toBe('model/stl');
  const { items } = (await pdm.viewer.get(`${path}/artifacts`)).body;
  expect(items.map(({ fileName }: { fileName: string }) => fileName).sort()).toEqual(
    ['Box.STL', 'Box.glb', 'Box.png', 'Box.properties.json'].sort(),
  );
  const { body } = await pdm.viewer.get(`${path}/artifacts/properties/file`);
  expect(body).toMatchObject({ representation: 'mesh', volume: 6000, source: { format: 'STL' } });

  const requested = await pdm.editor.post(`${path}/exports`, { format: 'THREE_MF' });
  expect(await jobWhen(pdm, requested.body.id)).toMatchObject({ status: 'done', format: 'THREE_MF' });
  const files = (await pdm.viewer.get(`${path}/artifacts`)).body.items;
  expect(files).toContainEqual(
    expect.objectContaining({ kind: '3mf', fileName: 'Box.3mf', contentType: 'model/3mf', stale: false }),
  );
  expect((await pdm.editor.post(`${path}/exports`, { format: 'BREP' })).body).toMatchObject({
    code: 'not_converted',
    artifactKind: 'stp',
  });
});

test('converts a FreeCAD document to everything including STEP', async () => {
  const { job, source, path } = await convert(await testDocument(), 'Boxes.FCStd');
  expect(job).toMatchObject({ status: 'done' });
  expect(source.contentType).toBe('application/x-extension-fcstd');
  const { items } = (await pdm.viewer.get(`${path}/artifacts`)).body;
  expect(items.map(({ fileName }: { fileName: string }) => fileName)).toEqual(
    expect.arrayContaining(['Boxes.FCStd', 'Boxes.glb', 'Boxes.png', 'Boxes.properties.json', 'Boxes.stp']),
  );
  const { body } = await pdm.viewer.get(`${path}/artifacts/properties/file`);
  expect(body).toMatchObject({ volume: 6000, source: { format: 'FreeCAD' } });
});

test('keeps a native file, names the worker that could convert it, and creates versions of it', async () => {
  const bytes = Buffer.from('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 native', 'latin1');
  const { job, path, workspace } = await convert(bytes, 'Bracket.SLDPRT');
  expect(job).toMatchObject({
    status: 'failed',
    error: { code: 'unsupported_format', message: expect.stringContaining('a worker with SOLIDWORKS can convert it') },
  });
  const created = await pdm.editor.post(`/workspaces/${workspace.id}/versions`, { comment: 'As received' });
  expect(created.status).toBe(201);
  for (const owner of [path, `/versions/${created.body.id}`])
    expect((await pdm.viewer.get(`${owner}/artifacts`)).body.items).toMatchObject([{ fileName: 'Bracket.SLDPRT' }]);
});
