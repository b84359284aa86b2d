import { remove } from './query/records.ts';
import { collection, type Scope, within } from './query/scope.ts';
import type { CollectionName } from './schema/collections.ts';

const OWNED = [
  'artifacts',
  'references',
  'views',
  'draftBackups',
  'versions',
  'workspaces',
  'jobs',
  'runs',
] as const satisfies CollectionName[];

/**
 * Deletes a document without revisions and every record in it, except its number and its audit records. A sweep deletes
 * unreferenced blobs.
 */
export async function deleteDocumentRecords(scope: Scope, documentId: string): Promise<void> {
  const jobs = await collection(scope, 'jobs')
    .find({ documentId: { $eq: documentId } }, { projection: { _id: 1 }, ...within(scope) })
    .toArray();
  if (jobs.length)
    await collection(scope, 'jobLogs').deleteMany({ jobId: { $in: jobs.map(({ _id }) => _id) } }, within(scope));
  for (const name of OWNED) await deleteIn(scope, name, documentId);
  await remove(scope, 'documents', documentId);
}

async function deleteIn(scope: Scope, name: (typeof OWNED)[number], documentId: string): Promise<void> {
  await collection(scope, name as 'jobs').deleteMany({ documentId: { $eq: documentId } }, within(scope));
}
