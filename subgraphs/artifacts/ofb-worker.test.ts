// With an external OFB engine configured, OFB jobs require it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { content } from '../../test/support/content.ts';
import { type TestStore, testStore } from '../../test/support/store.ts';
import { get } from '../core/store/query/records.ts';
import { requestExport } from '../jobs/request-export.ts';

const OFB = '\x01\x02classcad\x02\x01\nContentType=OFB\n\x01\x02hdend\x02\x01';

let store: TestStore;
let on: ReturnType<typeof content>;
beforeAll(async () => {
  store = await testStore({ limits: { ofbWorker: 'external' } });
  on = content(store.services);
});
afterAll(() => store.close());

const environmentOf = async (jobId: string | null) => (await get(on.scope, 'jobs', String(jobId))).environment;

test('requires ClassCAD for an OFB source but not for a STEP source', async () => {
  const [first, second] = [await on.document(), await on.document()];
  expect(await environmentOf((await on.upload(first.draftId, 'source', OFB, 'part.ofb')).jobId)).toEqual([
    'engine:classcad',
  ]);
  expect(await environmentOf((await on.upload(second.draftId, 'source', 'ISO-10303-21;', 'part.ofb')).jobId)).toEqual(
    [],
  );
});

test('requires ClassCAD for an OFB export but not for a STEP export', async () => {
  const { draftId } = await on.document('assembly');
  await on.upload(draftId, 'asm-json', '{"templates": []}', 'asm.json');
  expect((await on.run(requestExport, { versionId: draftId, format: 'OFB' })).environment).toEqual(['engine:classcad']);
  expect((await on.run(requestExport, { versionId: draftId, format: 'STP' })).environment).toEqual([]);
});
