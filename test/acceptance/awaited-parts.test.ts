// An assembly is put together as soon as its parts are converted, not when its worker looks again.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { assemblies, type Item } from '../support/assemblies.ts';
import { brokenInvariants } from '../support/invariants.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';

let pdm: Pdm;
let make: ReturnType<typeof assemblies>;
beforeAll(async () => {
  pdm = await startPdm();
  make = assemblies(pdm.editor);
});
afterAll(async () => {
  expect(await brokenInvariants({ db: pdm.services.mongo.db })).toEqual([]);
  await pdm.close();
});

/** The id of the job that is handed out; null when there is none. */
const claim = async (type: string, waitSeconds = 0): Promise<string | null> =>
  (await pdm.worker.post('/jobs/claim', { workerId: 'w-1', types: [type], waitSeconds })).body?.id ?? null;
const end = (id: string | null, how: 'complete' | 'fail') =>
  pdm.worker.post(`/jobs/${id}/${how}`, how === 'fail' ? { error: { message: 'broken file' }, final: true } : {});
const notYet = { error: { code: 'not_converted', message: 'not yet' }, retryable: true };
const uses = (...items: Item[]) =>
  JSON.stringify({
    templates: items.map(({ number }) => ({ ident: number, reference: { location: `pdm://documents/${number}` } })),
  });

/** A model with a source, and a version of it; its conversion waits. */
async function part(): Promise<Item> {
  const item = await make.model();
  expect((await pdm.editor.upload(item.draftId, 'source', 'ISO-10303-21;', { fileName: 'x.stp' })).status).toBe(201);
  await make.version(item);
  return item;
}

/** An assembly's assemble job that found nothing converted; it would look again in an hour. */
async function waitingAssembly(...items: Item[]): Promise<string> {
  const whole = await make.draft([]);
  const { jobId } = (await pdm.editor.upload(whole.draftId, 'asm-json', uses(...items), { fileName: 'asm.json' })).body;
  expect(await claim('assemble')).toBe(jobId);
  expect((await pdm.worker.post(`/jobs/${jobId}/fail`, notYet)).body.status).toBe('waiting');
  const inAnHour = new Date(Date.now() + 3_600_000);
  await pdm.services.mongo.db
    .collection<{ _id: string }>('jobs')
    .updateOne({ _id: jobId }, { $set: { availableAt: inAnHour } });
  return jobId;
}

test('when the last of its parts has been converted, at whatever depth, the assembly is handed out, also while one inside of it is still being put together', async () => {
  const [screw, plate] = [await part(), await part()];
  const inner = await make.draft([]);
  const { jobId: first } = (await pdm.editor.upload(inner.draftId, 'asm-json', uses(screw), { fileName: 'asm.json' }))
    .body;
  expect(await claim('assemble')).toBe(first);
  await make.version(inner);
  const waiting = await waitingAssembly(inner, plate);

  await end(await claim('convert'), 'complete');
  expect(await claim('assemble')).toBeNull();
  await end(await claim('convert'), 'complete');
  expect(await claim('assemble', 20)).toBe(waiting);
  for (const id of [waiting, first]) await end(id, 'complete');
});

test('a conversion that fails or is cancelled wakes it too: it is time to say what is missing', async () => {
  const [one, two] = [await part(), await part()];
  const waiting = [await waitingAssembly(one), await waitingAssembly(two)];
  await end(await claim('convert'), 'fail');
  expect(await claim('assemble', 20)).toBe(waiting[0]);
  const [job] = (await pdm.viewer.get(`/versions/${two.draftId}/jobs`)).body.items;
  await pdm.editor.post(`/jobs/${job.id}/cancel`);
  expect(await claim('assemble', 20)).toBe(waiting[1]);
  for (const id of waiting) await end(id, 'fail');
});
