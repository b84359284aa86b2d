import { paramsHash, runKey } from '../domain/jobs/run-key.ts';
import type { DocumentWithContent } from '../store/query/scan.ts';
import type { Violation } from './invariant.ts';

/** Checks that each run has the key of its code and parameters and its job, and that one run per key is current. */
export function runViolations({ document, runs, jobs }: DocumentWithContent): Violation[] {
  const violation = (id: string, problem: string): Violation => ({
    invariant: 'I18',
    id,
    message: `Run ${id} of ${document.number} ${problem}.`,
  });
  const executing = new Map(jobs.map((job) => [job._id, job.runId]));
  const currentKeys = new Set<string>();
  return runs.flatMap(({ _id, key, current, code, params, paramsHash: hash, jobId }) => {
    const parameters: object = JSON.parse(params);
    const isDuplicate = current && currentKeys.has(key);
    if (current) currentKeys.add(key);
    return [
      ...(key === runKey({ documentId: document._id, code, params: parameters }) && hash === paramsHash(parameters)
        ? []
        : [violation(_id, 'does not have the key of its code and parameters')]),
      ...(isDuplicate ? [violation(_id, 'is current, like another run with the same key')] : []),
      ...(executing.get(jobId) === _id ? [] : [violation(_id, `has no job: ${jobId} does not belong to it`)]),
    ];
  });
}
