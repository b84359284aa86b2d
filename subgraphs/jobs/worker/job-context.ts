import { holderOf } from '../../core/domain/jobs/job-fence.ts';
import { heldBy } from '../../core/domain/jobs/job-lifecycle.ts';
import type { Context } from '../../core/graphql.ts';
import { inputsOf } from '../../core/store/jobs/job-inputs.ts';
import { find, get } from '../../core/store/query/records.ts';
import type { ArtifactRecord, DocumentRecord, JobRecord, VersionRecord } from '../../core/store/schema/collections.ts';
import { parsedParams } from '../read-runs.ts';

export type JobContext = {
  job: JobRecord;
  document: DocumentRecord;
  version: VersionRecord;
  files: ArtifactRecord[];
  params: unknown;
};

/**
 * What the worker that holds the job needs: the document, the draft or version, and the input files. When the draft has moved on, the files are those
 * of a version that still waits for this job; without one the job is in vain, and the answer is `stale_input`.
 */
export async function jobContext({ scope, request }: Context, { id }: { id: string }): Promise<JobContext | null> {
  const job = await find(scope, 'jobs', id);
  if (!job) return null;

  const { tokenId } = holderOf(request.actor);
  heldBy(job, { tokenId, attempt: job.attempt });

  const [document, version, files] = await Promise.all([
    get(scope, 'documents', job.documentId),
    get(scope, 'versions', job.versionId),
    inputsOf(scope, job),
  ]);
  const run = job.runId ? await get(scope, 'runs', job.runId) : null;
  return { job, document, version, files, params: run && parsedParams(run) };
}
