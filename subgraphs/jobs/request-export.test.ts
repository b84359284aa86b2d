// Export requests and the reuse of finished exports.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { content } from '../../test/support/content.ts';
import { violatedInvariants } from '../../test/support/invariants.ts';
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
  expect(await violatedInvariants(on.scope)).toEqual([]);
  await store.close();
});

/** Requests an export and, unless it is already done, completes it as a worker. */
async function exported(versionId: string): Promise<{ jobId: string; created: boolean }> {
  const requested = await on.run(requestExport, { versionId, format: 'STP' });
  if (requested.status === 'done') return { jobId: requested._id, created: false };
  for (;;) {
    const { _id, type, attempt } = await on.claim(versionId);
    if (type === 'export') await on.result(versionId, 'stp', ASM_JSON);
    await on.as(requestAs('worker'), completeJob, { id: _id, attempt });
    if (_id === requested._id) return { jobId: _id, created: true };
  }
}

test('exports a version once, but a draft on each request, because its references may have changed', async () => {
  const { workspaceId, draftId } = await on.document('assembly');
  await on.upload(draftId, 'asm-json', ASM_JSON);
  await exported(draftId);
  const second = await exported(draftId);
  expect(second.created).toBe(true);

  const { _id } = await on.version(workspaceId);
  expect(await artifactOfKind(on.scope, _id, 'stp')).toMatchObject({ jobId: second.jobId });
  const ofVersion = await exported(_id);
  expect(ofVersion.created).toBe(true);
  expect(await exported(_id)).toEqual({ jobId: ofVersion.jobId, created: false });
});

test('exports again when the worker failed after storing its file', async () => {
  const { workspaceId, draftId } = await on.document('assembly');
  await on.upload(draftId, 'asm-json', ASM_JSON);
  const { _id } = await on.version(workspaceId);
  const requested = await on.run(requestExport, { versionId: _id, format: 'STP' });
  expect((await on.claim(_id))._id).toBe(requested._id);
  await on.result(_id, 'stp', ASM_JSON);
  await on.as(requestAs('worker'), failJob, { id: requested._id, error: { message: 'the engine ended' } });
  const again = await exported(_id);
  expect([again.created, again.jobId === requested._id]).toEqual([true, false]);
});

test('rejects the export of an archived document; requires the OFB engine only for OFB', async () => {
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
