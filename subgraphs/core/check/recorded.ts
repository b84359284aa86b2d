import type { WholeDocument } from '../store/query/whole-collections.ts';
import type { Violation } from './invariant.ts';

/** What is in a document was recorded when it came, and the document changed last when a record says so. */
export function recordedFaults({ document, workspaces, versions, revisions, jobs, audit }: WholeDocument): Violation[] {
  const fault = (id: string, says: string): Violation => ({ invariant: 'I12', id, message: says });
  const named = new Set(
    audit.flatMap(({ versionId, revisionId, workspaceId, jobId }) => [versionId, revisionId, workspaceId, jobId]),
  );
  const made = [...workspaces, ...versions.filter(({ type }) => type === 'version'), ...revisions, ...jobs];
  const times = new Set(audit.map(({ at }) => at.getTime()));
  return [
    ...made
      .filter(({ _id }) => !named.has(_id))
      .map(({ _id }) => fault(_id, `No audit record of ${document.number} tells where ${_id} came from.`)),
    ...(times.has(document.updatedAt.getTime())
      ? []
      : [
          fault(
            document._id,
            `Document ${document.number} was changed at ${document.updatedAt.toISOString()}, and no audit record tells by what.`,
          ),
        ]),
  ];
}
