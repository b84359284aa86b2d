import { paramsHash, runKey } from '../domain/jobs/run-key.ts';
import type { WholeDocument } from '../store/query/whole-collections.ts';
import type { Violation } from './invariant.ts';

/** Every run is found under its code and parameters, of equal ones one answers, and each has the job that executes it. */
export function runFaults({ document, runs, jobs }: WholeDocument): Violation[] {
  const fault = (id: string, says: string): Violation => ({
    invariant: 'I18',
    id,
    message: `Run ${id} of ${document.number} ${says}.`,
  });
  const executing = new Map(jobs.map((job) => [job._id, job.runId]));
  const answering = new Set<string>();
  return runs.flatMap(({ _id, key, current, code, params, paramsHash: hash, jobId }) => {
    const given: object = JSON.parse(params);
    const twice = current && answering.has(key);
    if (current) answering.add(key);
    return [
      ...(key === runKey({ documentId: document._id, code, params: given }) && hash === paramsHash(given)
        ? []
        : [fault(_id, 'is not found under its code and parameters')]),
      ...(twice ? [fault(_id, 'answers for parameters that another one answers for')] : []),
      ...(executing.get(jobId) === _id ? [] : [fault(_id, `has no job: ${jobId} is none of its own`)]),
    ];
  });
}
