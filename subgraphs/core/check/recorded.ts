import type { DocumentWithContent } from '../store/query/scan.ts';
import type { Violation } from './invariant.ts';

/** Checks that the records of a document have audit records, and that one has the time of its last change. */
export function unrecordedViolations({
  document,
  workspaces,
  versions,
  revisions,
  jobs,
  audit,
}: DocumentWithContent): Violation[] {
  const violation = (id: string, message: string): Violation => ({ invariant: 'I12', id, message });
  const recorded = new Set(
    audit.flatMap(({ versionId, revisionId, workspaceId, jobId }) => [versionId, revisionId, workspaceId, jobId]),
  );
  const records = [...workspaces, ...versions.filter(({ type }) => type === 'version'), ...revisions, ...jobs];
  const times = new Set(audit.map(({ at }) => at.getTime()));
  return [
    ...records
      .filter(({ _id }) => !recorded.has(_id))
      .map(({ _id }) => violation(_id, `The audit log of ${document.number} has no record of ${_id}.`)),
    ...(times.has(document.updatedAt.getTime())
      ? []
      : [
          violation(
            document._id,
            `Document ${document.number} was changed at ${document.updatedAt.toISOString()} without an audit record.`,
          ),
        ]),
  ];
}
