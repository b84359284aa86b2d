import { afterAll, beforeAll, expect, test } from 'vitest';
import { content } from '../../test/support/content.ts';
import { brokenInvariants } from '../../test/support/invariants.ts';
import { requestAs, type TestStore, testStore } from '../../test/support/store.ts';
import { artifactOfKind } from '../core/store/files/artifacts.ts';
import { archiveDocument } from '../documents/archive-document.ts';
import { requestExport } from './request-export.ts';
import { completeJob } from './worker/complete-job.ts';
import { failJob } from './worker/fail-job.ts';

const ASM_JSON = '{"templates":[],"instances":[]}';

let store: TestStore;
let on: ReturnType<typeof content>;
beforeAll(async () => {
  store = await testStore();
  on = content(store.services);
});
afterAll(async () => {
  expect(await brokenInvariants(on.scope)).toEqual([]);
  await store.close();
});

/** Asks for an export of the draft or version, and does it as a worker if it is not there. */
async function exported(versionId: string): Promise<{ jobId: string; made: boolean }> {
  const asked = await on.run(requestExport, { versionId, format: 'STP' });
  if (asked.status === 'done') return { jobId: asked._id, made: false };
  for (;;) {
    const { _id, type, attempt } = await on.claim(versionId);
    if (type === 'export') await on.result(versionId, 'stp', ASM_JSON);
    await on.as(requestAs('worker'), completeJob, { id: _id, attempt });
    if (_id === asked._id) return { jobId: _id, made: true };
  }
}

test('the export of a version is made once; that of a draft anew, also for the version that took it along: what the draft used may have moved', async () => {
  const { workspaceId, draftId } = await on.document('assembly');
  await on.upload(draftId, 'asm-json', ASM_JSON);
  await exported(draftId);
  const second = await exported(draftId);
  expect(second.made).toBe(true);

  const { _id } = await on.version(workspaceId);
  expect(await artifactOfKind(on.scope, _id, 'stp')).toMatchObject({ jobId: second.jobId });
  const ofVersion = await exported(_id);
  expect(ofVersion.made).toBe(true);
  expect(await exported(_id)).toEqual({ jobId: ofVersion.jobId, made: false });
});

test('an export whose worker stored its file and failed then is made again', async () => {
  const { workspaceId, draftId } = await on.document('assembly');
  await on.upload(draftId, 'asm-json', ASM_JSON);
  const { _id } = await on.version(workspaceId);
  const asked = await on.run(requestExport, { versionId: _id, format: 'STP' });
  expect((await on.claim(_id))._id).toBe(asked._id);
  await on.result(_id, 'stp', ASM_JSON);
  await on.as(requestAs('worker'), failJob, { id: asked._id, error: { message: 'the engine ended' } });
  const again = await exported(_id);
  expect([again.made, again.jobId === asked._id]).toEqual([true, false]);
});

test('the export of what is archived is refused; as STEP it needs no engine for OFB', async () => {
  const { documentId, draftId } = await on.document('assembly');
  await on.upload(draftId, 'asm-json', ASM_JSON);
  store.services.limits.ofbWorker = 'external';
  expect((await on.run(requestExport, { versionId: draftId, format: 'STP' })).environment).toEqual([]);
  expect((await on.run(requestExport, { versionId: draftId, format: 'OFB' })).environment).toEqual(['engine:classcad']);
  store.services.limits.ofbWorker = 'none';
  await on.run(archiveDocument, { id: documentId });
  await expect(on.run(requestExport, { versionId: draftId, format: 'STP' })).rejects.toMatchObject({
    code: 'document_archived',
  });
});
