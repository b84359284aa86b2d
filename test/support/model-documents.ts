// Creates models without the engine: the test delivers the results as a worker.
import { expect } from 'vitest';
import { sha256Of } from './content.ts';
import type { Pdm } from './pdm.ts';

/** A new model document with its draft. */
export async function createModelDocument(
  { editor }: Pdm,
  name: string,
): Promise<{ id: string; workspaceId: string; draftId: string }> {
  const { id, workspaces } = (await editor.post('/documents', { name, kind: 'model' })).body;
  return { id: String(id), workspaceId: String(workspaces[0].id), draftId: String(workspaces[0].draftId) };
}

/** Uploads any text as a source, which queues a job. */
export const uploadSource = ({ editor }: Pdm, draftId: string, source: string) =>
  editor.upload(draftId, 'source', source, { fileName: 'part.stp' });

type OtherResults = { measure?: Uint8Array | string; properties?: string };

/** Claims the job of the source as a worker, fails those of other documents, and delivers this GLB and other results. */
export async function deliverGlb(
  pdm: Pdm,
  draftId: string,
  source: string,
  glb: Uint8Array,
  others: OtherResults = {},
): Promise<void> {
  await deliverResult(pdm, 'convert', draftId, source, glb, others);
}

/** Claims the job of an asm.json as a worker, fails those of other documents, and delivers this GLB. */
export const deliverAssembly = (pdm: Pdm, draftId: string, asmJson: string, glb: Uint8Array): Promise<void> =>
  deliverResult(pdm, 'assemble', draftId, asmJson, glb);

async function deliverResult(
  { worker }: Pdm,
  type: 'convert' | 'assemble',
  draftId: string,
  source: string,
  glb: Uint8Array,
  others: OtherResults = {},
): Promise<void> {
  const claim = async () =>
    (await worker.post('/jobs/claim', { workerId: 'w1', types: [type], environment: { engine: 'occt' } })).body;
  let job = await claim();
  for (; job.versionId !== draftId; job = await claim())
    await worker.post(`/jobs/${job.id}/fail`, { error: { message: 'another document' }, final: true });
  const headers = { 'x-generator': 'test/1', 'x-input-sha256': sha256Of(source), 'x-job-attempt': String(job.attempt) };
  expect((await worker.upload(draftId, 'glb', glb, { fileName: 'part.glb', headers })).status).toBe(201);
  for (const [kind, content] of Object.entries(others))
    expect((await worker.upload(draftId, kind, content, { headers })).status).toBe(201);
  expect((await worker.post(`/jobs/${job.id}/complete`, { attempt: job.attempt, workerId: 'w1' })).status).toBe(200);
}
