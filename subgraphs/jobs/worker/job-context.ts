// Reads the context of a job for the worker that holds it: the document, input files and parameters.
import { holderOf } from '../../core/domain/jobs/job-fence.ts';
import { assertHolder } from '../../core/domain/jobs/job-lifecycle.ts';
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
 * Returns the document, draft or version, input files and parameters of a job to the worker that holds it; null if
 * there is no such job. If the draft has changed, returns the files of a version that awaits the job, or throws
 * `stale_input` if there is none.
 */
export async function jobContext({ scope, request }: Context, { id }: { id: string }): Promise<JobContext | null> {
  const job = await find(scope, 'jobs', id);
  if (!job) return null;

  const { tokenId } = holderOf(request.actor);
  assertHolder(job, { tokenId, attempt: job.attempt });

  const [document, version, files] = await Promise.all([
    get(scope, 'documents', job.documentId),
    get(scope, 'versions', job.versionId),
    inputsOf(scope, job),
  ]);
  const run = job.runId ? await get(scope, 'runs', job.runId) : null;
  return { job, document, version, files, params: run && parsedParams(run) };
}
