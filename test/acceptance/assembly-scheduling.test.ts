// A waiting assemble job becomes available when the conversions of its parts end, even before its retry is due.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { assemblies, type Item } from '../support/assemblies.ts';
import { violatedInvariants } from '../support/invariants.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';

let pdm: Pdm;
let make: ReturnType<typeof assemblies>;
beforeAll(async () => {
  pdm = await startPdm();
  make = assemblies(pdm.editor);
});
afterAll(async () => {
  expect(await violatedInvariants({ db: pdm.services.mongo.db })).toEqual([]);
  await pdm.close();
});

/** Returns the id of the claimed job; null if none is available. */
const claim = async (type: string, waitSeconds = 0): Promise<string | null> =>
  (await pdm.worker.post('/jobs/claim', { workerId: 'w-1', types: [type], waitSeconds })).body?.id ?? null;
const finish = (id: string | null, outcome: 'complete' | 'fail') =>
  pdm.worker.post(
    `/jobs/${id}/${outcome}`,
    outcome === 'fail' ? { error: { message: 'broken file' }, final: true } : {},
  );
const NOT_CONVERTED = { error: { code: 'not_converted', message: 'not yet' }, retryable: true };
const asmJson = (...items: Item[]) =>
  JSON.stringify({
    templates: items.map(({ number }) => ({ ident: number, reference: { location: `pdm://documents/${number}` } })),
  });

/** Creates a model with a source and a version of it; its conversion waits. */
async function part(): Promise<Item> {
  const item = await make.model();
  expect((await pdm.editor.upload(item.draftId, 'source', 'ISO-10303-21;', { fileName: 'x.stp' })).status).toBe(201);
  await make.version(item);
  return item;
}

/** Creates an assembly whose assemble job failed because no part is converted yet; its retry is due later than this test. */
async function waitingAssembly(...items: Item[]): Promise<string> {
  const assembly = await make.draft([]);
  const { jobId } = (await pdm.editor.upload(assembly.draftId, 'asm-json', asmJson(...items), { fileName: 'asm.json' }))
    .body;
  expect(await claim('assemble')).toBe(jobId);
  expect((await pdm.worker.post(`/jobs/${jobId}/fail`, NOT_CONVERTED)).body.status).toBe('waiting');
  const later = new Date(Date.now() + 59_000); // a retry is never further away
  await pdm.services.mongo.db
    .collection<{ _id: string }>('jobs')
    .updateOne({ _id: jobId }, { $set: { availableAt: later } });
  return jobId;
}

test('hands out an assemble job when its last part is converted, even before its subassembly is assembled', async () => {
  const [screw, plate] = [await part(), await part()];
  const inner = await make.draft([]);
  const { jobId: first } = (
    await pdm.editor.upload(inner.draftId, 'asm-json', asmJson(screw), { fileName: 'asm.json' })
  ).body;
  expect(await claim('assemble')).toBe(first);
  await make.version(inner);
  const waiting = await waitingAssembly(inner, plate);

  await finish(await claim('convert'), 'complete');
  expect(await claim('assemble')).toBeNull();
  await finish(await claim('convert'), 'complete');
  expect(await claim('assemble', 20)).toBe(waiting);
  for (const id of [waiting, first]) await finish(id, 'complete');
});

test('hands out an assemble job when a conversion of its parts fails or is cancelled', async () => {
  const [one, two] = [await part(), await part()];
  const waiting = [await waitingAssembly(one), await waitingAssembly(two)];
  await finish(await claim('convert'), 'fail');
  expect(await claim('assemble', 20)).toBe(waiting[0]);
  const [job] = (await pdm.viewer.get(`/versions/${two.draftId}/jobs`)).body.items;
  await pdm.editor.post(`/jobs/${job.id}/cancel`);
  expect(await claim('assemble', 20)).toBe(waiting[1]);
  for (const id of waiting) await finish(id, 'fail');
});
