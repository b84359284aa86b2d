// The end of the pause of a job that awaits conversions.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { content } from '../../test/support/content.ts';
import { requestAs, type TestStore, testStore } from '../../test/support/store.ts';
import { completeJob } from './worker/complete-job.ts';
import { failJob } from './worker/fail-job.ts';

let store: TestStore;
let on: ReturnType<typeof content>;
beforeAll(async () => {
  store = await testStore();
  on = content(store.services);
});
afterAll(() => store.close());

test('wakes an assembly whose last part is converted while it starts to wait', async () => {
  const part = await on.document();
  await on.upload(part.draftId, 'source', 'ISO-10303-21;');
  await on.version(part.workspaceId);
  const assembly = await on.document('assembly');
  const text = JSON.stringify({
    templates: [{ ident: 'part', reference: { location: `pdm://documents/${part.documentId}` } }],
  });
  await on.upload(assembly.draftId, 'asm-json', text, 'asm.json');
  const converting = await on.claim(part.draftId);
  const assembling = await on.claim(assembly.draftId);
  const keys: (string | null)[] = [];
  const stop = store.services.dispatch.listen((_topic, key) => keys.push(key));
  await on.as(
    requestAs('worker'),
    async (work, { id }: { id: string }) => {
      await failJob(work, { id, error: { code: 'not_converted', message: 'not yet' }, retryable: true });
      // The part is converted before this transaction commits, so its end does not see the waiting assembly.
      await on.as(requestAs('worker'), completeJob, { id: converting._id });
    },
    { id: assembling._id },
  );
  await expect.poll(() => keys, { timeout: 10_000 }).toContain(`${assembling._id}:1:converted`);
  stop();
});
