import { afterAll, beforeAll, expect, test } from 'vitest';
import { addressOf, assemblies } from '../support/assemblies.ts';
import { sha256Of } from '../support/content.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';

let pdm: Pdm;
beforeAll(async () => {
  pdm = await startPdm();
});
afterAll(() => pdm.close());

async function model() {
  const { id, workspaces } = (await pdm.editor.post('/documents', { name: 'Bracket', kind: 'model' })).body;
  return { id: id as string, main: workspaces[0] as { id: string; draftId: string } };
}
const createVersion = async (workspaceId: string, body: object = {}) =>
  (await pdm.editor.post(`/workspaces/${workspaceId}/versions`, body)).body;
const compare = (id: string, other: string) => pdm.viewer.get(`/versions/${id}/compare?with=${other}`);

async function claim(draftId: string): Promise<{ id: string; versionId: string; attempt: number }> {
  for (;;) {
    const { body: job } = await pdm.worker.post('/jobs/claim', {
      workerId: 'w1',
      types: ['convert'],
      environment: { engine: 'occt' },
    });
    if (!job) throw new Error(`no job is waiting for ${draftId}`);
    if (job.versionId === draftId) return job;
  }
}

/** Uploads a source and, as the worker that holds its job, the given properties file. */
async function storeMeasured(draftId: string, source: string, properties: unknown): Promise<void> {
  await pdm.editor.upload(draftId, 'source', source, { fileName: 'part.stp' });
  const job = await claim(draftId);
  const text = JSON.stringify(properties);
  const headers = { 'x-generator': 'test/1', 'x-input-sha256': sha256Of(source), 'x-job-attempt': String(job.attempt) };
  expect(
    (await pdm.worker.upload(job.versionId, 'properties', text, { fileName: 'properties.json', headers })).status,
  ).toBe(201);
  expect((await pdm.worker.post(`/jobs/${job.id}/complete`, { attempt: job.attempt, workerId: 'w1' })).status).toBe(
    200,
  );
}
const cube = (edge: number) => ({
  units: 'mm',
  boundingBox: { min: [0, 0, 0], max: [edge, edge, edge], size: [edge, edge, edge] },
  volume: edge ** 3,
  area: 6 * edge ** 2,
});

test('compares the files, fields, volume, area and bounding box of two versions of a model', async () => {
  const { main } = await model();
  await storeMeasured(main.draftId, 'a cube of 10', cube(10));
  await pdm.editor.upload(main.draftId, 'attachment.note', 'same', { fileName: 'old.txt' });
  await pdm.editor.upload(main.draftId, 'attachment.gone', 'x');
  const from = await createVersion(main.id, { comment: 'first' });
  await storeMeasured(main.draftId, 'a cube of 20', cube(20));
  await pdm.editor.upload(main.draftId, 'attachment.note', 'same', { fileName: 'new.txt' });
  await pdm.editor.delete(`/versions/${main.draftId}/artifacts/attachment.gone`);
  await pdm.editor.upload(main.draftId, 'attachment.more', 'y');
  const to = await createVersion(main.id, { name: 'Twice as large' });

  const { status, body } = await compare(from.id, to.id);
  expect(status).toBe(200);
  expect(body).toMatchObject({ from: { id: from.id, n: 1 }, to: { id: to.id, n: 2 } });
  expect(body.files).toEqual([
    {
      kind: 'attachment.gone',
      change: 'removed',
      contentDiffers: true,
      from: expect.objectContaining({ sha256: sha256Of('x'), size: 1 }),
      to: null,
    },
    {
      kind: 'attachment.more',
      change: 'added',
      contentDiffers: true,
      from: null,
      to: expect.objectContaining({ sha256: sha256Of('y') }),
    },
    {
      kind: 'attachment.note',
      change: 'changed',
      contentDiffers: false,
      from: expect.objectContaining({ fileName: 'old.txt', sha256: sha256Of('same') }),
      to: expect.objectContaining({ fileName: 'new.txt', sha256: sha256Of('same') }),
    },
    expect.objectContaining({
      kind: 'properties',
      change: 'changed',
      to: expect.objectContaining({ generator: 'test/1' }),
    }),
    {
      kind: 'source',
      change: 'changed',
      contentDiffers: true,
      from: expect.objectContaining({
        fileName: 'part.stp',
        size: 12,
        sha256: sha256Of('a cube of 10'),
        generator: null,
      }),
      to: expect.objectContaining({ sha256: sha256Of('a cube of 20') }),
    },
  ]);
  expect(body.fields).toEqual([
    { field: 'name', from: 'V1', to: 'Twice as large' },
    { field: 'comment', from: 'first', to: null },
  ]);
  expect(body.measures).toEqual({
    volume: { from: 1000, to: 8000, difference: 7000, relative: 7 },
    area: { from: 600, to: 2400, difference: 1800, relative: 3 },
    boundingBox: {
      from: { min: [0, 0, 0], max: [10, 10, 10], size: [10, 10, 10] },
      to: { min: [0, 0, 0], max: [20, 20, 20], size: [20, 20, 20] },
      sizeDifference: [10, 10, 10],
    },
    missing: [],
  });
  expect((await compare(to.id, from.id)).body.measures.volume).toEqual({
    from: 8000,
    to: 1000,
    difference: -7000,
    relative: -0.875,
  });
});

test('compares a draft with its version, a version with a copy, and a version with itself', async () => {
  const { id, main } = await model();
  await storeMeasured(main.draftId, 'original', cube(10));
  const version = await createVersion(main.id);
  const copy = (await pdm.editor.post(`/documents/${id}/copy`, {})).body;
  const copied = await compare(version.id, copy.drafts[0].id);
  expect(copied.body).toMatchObject({ files: [], measures: { volume: { difference: 0, relative: 0 }, missing: [] } });
  expect(copied.body.to.documentId).toBe(copy.id);
  expect((await compare(version.id, version.id)).body).toMatchObject({
    files: [],
    fields: [],
    measures: { area: { difference: 0 } },
  });

  await pdm.editor.upload(main.draftId, 'source', 'changed');
  const { body } = await compare(version.id, main.draftId);
  expect(body.files).toMatchObject([{ kind: 'source', change: 'changed' }]);
  expect(body.measures).toEqual({
    volume: null,
    area: null,
    boundingBox: null,
    missing: [{ versionId: main.draftId, reason: 'The draft has changed since an engine measured it.' }],
  });
});

test('compares the rest and returns the reason when measures are missing', async () => {
  const { main } = await model();
  const empty = await createVersion(main.id);
  await storeMeasured(main.draftId, 'x', { engine: 'one that measures nothing' });
  const { body } = await compare(empty.id, main.draftId);
  expect(body.files.map(({ kind, change }: { kind: string; change: string }) => [kind, change])).toEqual([
    ['properties', 'added'],
    ['source', 'added'],
  ]);
  expect(body.measures.missing).toEqual([
    { versionId: empty.id, reason: 'Version 1 has no properties file: no engine has measured it.' },
    { versionId: main.draftId, reason: 'The draft has a properties file without volume, area and bounding box.' },
  ]);
});

test('lists added, removed and changed references of two versions of an assembly, and none of models', async () => {
  const make = assemblies(pdm.editor);
  const [screw, plate, rail, knob] = [
    await make.part({ name: 'Screw' }),
    await make.part(),
    await make.part(),
    await make.part(),
  ];
  const assembly = await make.draft([[screw, 4], [plate], [rail]]);
  const from = await make.version(assembly);
  await make.release(rail);
  await make.use(assembly, [
    [screw, 6],
    [knob, 2],
    [addressOf(rail, '@A'), 1],
  ]);
  const { body } = await compare(from.id, assembly.draftId);
  expect(body.references).toMatchObject([
    {
      change: 'changed',
      differences: ['quantity'],
      from: { line: 1, quantity: 4, n: 1 },
      to: { line: 1, quantity: 6, number: screw.number, name: 'Screw' },
    },
    {
      change: 'added',
      differences: [],
      from: null,
      to: { line: 2, location: addressOf(knob), quantity: 2, status: 'resolved' },
    },
    {
      change: 'changed',
      differences: ['version', 'address'],
      from: { n: 1, label: null },
      to: { location: addressOf(rail, '@A'), n: 2, label: 'A' },
    },
    { change: 'removed', differences: [], from: { line: 2, number: plate.number }, to: null },
  ]);
  expect((await compare(from.id, from.id)).body.references).toEqual([]);
  expect((await compare(screw.draftId, plate.draftId)).body.references).toEqual([]);
});

test('rejects unknown versions, a missing parameter and a worker, and returns the same in GraphQL', async () => {
  const { main } = await model();
  const version = await createVersion(main.id);
  const unknown = 'ver_00000000000000000000000000';
  expect(await compare(version.id, unknown)).toMatchObject({ status: 404, body: { code: 'not_found', id: unknown } });
  expect((await compare(unknown, version.id)).status).toBe(404);
  expect((await pdm.viewer.get(`/versions/${version.id}/compare`)).status).toBe(400);
  expect((await pdm.worker.get(`/versions/${version.id}/compare?with=${version.id}`)).status).toBe(403);
  const query =
    'query ($id: ID!, $with: ID!) { compareVersions(id: $id, with: $with) { from { document { name } } files { kind } measures { missing { versionId } } } }';
  const { body } = await pdm.viewer.graphql(query, { id: version.id, with: main.draftId });
  expect(body.data.compareVersions).toEqual({
    from: { document: { name: 'Bracket' } },
    files: [],
    measures: { missing: [{ versionId: version.id }, { versionId: main.draftId }] },
  });
});
