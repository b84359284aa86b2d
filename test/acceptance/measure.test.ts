// Measuring data of a model: the stored faces and edges, and what is measured between them.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sha256Of } from '../support/content.ts';
import { createModelDocument, deliverGlb, uploadSource } from '../support/model-documents.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';
import { resultFile } from '../support/result-files.ts';

let pdm: Pdm;
beforeAll(async () => {
  pdm = await startPdm();
});
afterAll(() => pdm.close());

const exact = { accuracy: 'exact', area: 10, areaError: 0, triangles: null };
const hole = (x: number) => ({
  ...exact,
  kind: 'cylinder',
  inner: true,
  at: [x, 0, 0],
  direction: [0, 0, 1],
  radius: 4,
});
const DATA = {
  units: 'mm',
  chordError: 0.05,
  parts: [
    {
      name: 'Plate',
      mesh: 0,
      faces: [hole(0), hole(30), { ...exact, kind: 'plane', at: [0, 0, 5], direction: [0, 0, 1] }],
      edges: [
        {
          kind: 'circle',
          accuracy: 'fitted',
          residual: 0.00001,
          at: [0, 0, 5],
          direction: [0, 0, 1],
          radius: 4,
          sweep: 360,
          from: [4, 0, 5],
          to: [4, 0, 5],
          length: 25.1327,
          lengthError: 0,
          faces: [0, 2],
        },
      ],
    },
  ],
  placements: [{ part: 0, matrix: [1, 0, 0, 100, 0, 1, 0, 0, 0, 0, 1, 0] }],
};

async function measuredModel(data: object = DATA): Promise<string> {
  const { draftId } = await createModelDocument(pdm, 'Plate');
  await uploadSource(pdm, draftId, 'plate');
  await deliverGlb(pdm, draftId, 'plate', resultFile('glb', 'plate'), { measure: JSON.stringify(data) });
  return draftId;
}

test('returns the faces and edges of each part, and their placements', async () => {
  const draftId = await measuredModel();
  const { status, body } = await pdm.viewer.get(`/versions/${draftId}/measure`);
  expect([status, body]).toEqual([
    200,
    {
      versionId: draftId,
      stale: false,
      chordError: 0.05,
      parts: DATA.parts,
      placements: DATA.placements,
      from: null,
      to: null,
      values: [],
    },
  ]);
  await uploadSource(pdm, draftId, 'another plate');
  expect((await pdm.viewer.get(`/versions/${draftId}/measure`)).body.stale).toBe(true);
  await deliverGlb(pdm, draftId, 'another plate', resultFile('glb', 'another plate'));
});

test('measures a face, and between two entities, with the accuracy of each value', async () => {
  const draftId = await measuredModel();
  const measure = async (query: string) => (await pdm.viewer.get(`/versions/${draftId}/measure?${query}`)).body;
  expect(await measure('from=0/face/0')).toMatchObject({
    parts: null,
    from: {
      part: 'Plate',
      kind: 'cylinder',
      inner: true,
      accuracy: 'exact',
      error: 0,
      at: [100, 0, 0],
      direction: [0, 0, 1],
      values: [
        { quantity: 'diameter', value: 8, unit: 'mm', accuracy: 'exact', error: 0 },
        { quantity: 'radius', value: 4 },
        { quantity: 'area', value: 10, unit: 'mm²' },
      ],
    },
    to: null,
    values: [],
  });
  expect((await measure('from=0/face/0&to=0/face/1')).values).toEqual([
    { quantity: 'distance', value: 30, unit: 'mm', accuracy: 'exact', error: 0 },
  ]);
  expect((await measure('from=0/edge/0/center&to=0/face/1')).values).toEqual([
    { quantity: 'distance', value: 30, unit: 'mm', accuracy: 'fitted', error: 0.00001 },
  ]);
});

test('measures over GraphQL', async () => {
  const draftId = await measuredModel();
  const query = `query ($id: ID!, $from: String, $to: String) {
    measure(versionId: $id, from: $from, to: $to) {
      stale
      from { part kind inner values { quantity value unit } }
      values { quantity value unit accuracy error }
    }
  }`;
  const { body } = await pdm.viewer.graphql(query, { id: draftId, from: '0/face/0', to: '0/face/1' });
  expect(body).toMatchObject({
    data: {
      measure: {
        stale: false,
        from: {
          part: 'Plate',
          kind: 'cylinder',
          inner: true,
          values: [
            { quantity: 'diameter', value: 8, unit: 'mm' },
            { quantity: 'radius', value: 4, unit: 'mm' },
            { quantity: 'area', value: 10, unit: 'mm²' },
          ],
        },
        values: [{ quantity: 'distance', value: 30, unit: 'mm', accuracy: 'exact', error: 0 }],
      },
    },
  });
  const rejected = await pdm.viewer.graphql(query, { id: draftId, from: '0/face/3' });
  expect(rejected.body).toMatchObject({ errors: [{ extensions: { code: 'validation_failed' } }] });
});

test('rejects entities that do not exist, and models without measuring data', async () => {
  const draftId = await measuredModel();
  for (const [query, path] of [
    ['from=0/face/3', '/from'],
    ['from=0/face/0&to=7/face/0', '/to'],
    ['to=0/face/0', '/from'],
  ])
    expect((await pdm.viewer.get(`/versions/${draftId}/measure?${query}`)).body).toMatchObject({
      status: 400,
      code: 'validation_failed',
      errors: [{ path }],
    });
  const { draftId: empty } = await createModelDocument(pdm, 'Empty');
  expect((await pdm.viewer.get(`/versions/${empty}/measure`)).body).toMatchObject({
    status: 409,
    code: 'no_measuring_data',
  });
});

test('rejects measuring data that is not valid', async () => {
  const { draftId } = await createModelDocument(pdm, 'Plate');
  await uploadSource(pdm, draftId, 'plate');
  const claim = { workerId: 'w1', types: ['convert'], environment: { engine: 'occt' } };
  const { body: job } = await pdm.worker.post('/jobs/claim', claim);
  const headers = {
    'x-generator': 'test/1',
    'x-input-sha256': sha256Of('plate'),
    'x-job-attempt': String(job.attempt),
  };
  const content = JSON.stringify({ ...DATA, placements: [{ part: 1, matrix: [] }] });
  expect((await pdm.worker.upload(draftId, 'measure', content, { headers })).body).toMatchObject({
    code: 'invalid_result',
    detail: 'The measure file is not valid: /placements/0/part: must be the position of a part.',
  });
  await pdm.worker.post(`/jobs/${job.id}/complete`, { attempt: job.attempt, workerId: 'w1' });
});
