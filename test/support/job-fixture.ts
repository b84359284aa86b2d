// For tests of jobs: a document with a draft, and jobs queued for it.

import { type JobOrder, queueJob } from '../../subgraphs/core/commands/queue-job.ts';
import { documentRecord } from '../../subgraphs/core/store/documents.ts';
import { insert } from '../../subgraphs/core/store/query/records.ts';
import type { JobRecord } from '../../subgraphs/core/store/schema/collections.ts';
import { draftRecord } from '../../subgraphs/core/store/versions.ts';
import { type Command, inTransaction, type RequestContext, type Services } from '../../subgraphs/core/work.ts';

type Place = { documentId: string; versionId: string };

/** A model with one draft. */
export function createTestDraft(services: Services, request: RequestContext): Promise<Place> {
  return inTransaction(services, request, makeDraft, {});
}

const makeDraft: Command<object, Place> = async (work) => {
  const documentId = work.newId('doc');
  const draftId = work.newId('ver');
  const number = `PRT-${documentId.slice(-12).toUpperCase()}`;
  const fields = { _id: documentId, number, name: 'Bracket', description: null, folderId: null, copiedFrom: null };
  await insert(work, 'documents', documentRecord(work, { ...fields, kind: 'model' }));
  await insert(
    work,
    'versions',
    draftRecord(work, { documentId, workspaceId: work.newId('wsp'), draftId, basedOnVersionId: null }),
  );
  work.audit({ action: 'document.created', documentId, summary: 'A document was created.' });
  return { documentId, versionId: draftId };
};

/** Queues a convert job for a draft; `order` overrides its fields. */
export function queueTestJob(
  services: Services,
  request: RequestContext,
  place: Place,
  order: Partial<JobOrder> = {},
): Promise<JobRecord> {
  const convert: JobOrder = {
    type: 'convert',
    inputSha256: 'a'.repeat(64),
    inputKinds: ['source'],
    environment: [],
    ...place,
    ...order,
  };
  return inTransaction(services, request, queueWithAudit, convert);
}

const queueWithAudit: Command<JobOrder, JobRecord> = async (work, order) => {
  work.audit({ action: 'artifact.uploaded', documentId: order.documentId, summary: 'A file was uploaded.' });
  return queueJob(work, order);
};

/** Queues export jobs for some drafts in turn, in one transaction; returns their ids, the oldest first. */
export function queueExportJobs(
  services: Services,
  request: RequestContext,
  places: Place[],
  count: number,
): Promise<string[]> {
  return inTransaction(services, request, queueMany, { places, count });
}

const queueMany: Command<{ places: Place[]; count: number }, string[]> = async (work, { places, count }) => {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    const place = places[n % places.length]!;
    const job = await queueJob(work, {
      ...place,
      type: 'export',
      format: `${n}`,
      inputSha256: null,
      inputKinds: [],
      environment: null,
    });
    ids.push(job._id);
  }
  for (const { documentId } of places)
    work.audit({ action: 'export.requested', documentId, summary: 'Exports were queued.' });
  return ids;
};
