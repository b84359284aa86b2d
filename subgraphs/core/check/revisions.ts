import type { DocumentWithContent } from '../store/query/scan.ts';
import type { Violation } from './invariant.ts';

/** Checks that versions and revisions refer to each other, and that labels and ordinals are unique. */
export function revisionViolations({ document, versions, revisions }: DocumentWithContent): Violation[] {
  const violation = (id: string, message: string): Violation => ({ invariant: 'I6', id, message });
  const byId = new Map(revisions.map((revision) => [revision._id, revision]));
  const released = new Map(
    versions.flatMap((version) => (version.releasedAs ? [[version.releasedAs.revisionId, version]] : [])),
  );
  const takenBack = new Set(document.takenBackLabels ?? []);
  const last = document.lastRevision ?? 0;
  return [
    ...[...released].flatMap(([id, { _id, name, releasedAs }]) => {
      const revision = byId.get(id);
      return revision?.versionId === _id && revision.label === releasedAs?.label
        ? []
        : [violation(_id, `${name} of ${document.number} is released as ${id}, which does not refer to it.`)];
    }),
    ...revisions.flatMap(({ _id, label, versionId, versionN, ordinal }) => {
      const subject = `Revision ${label} of ${document.number}`;
      const version = versions.find((candidate) => candidate._id === versionId);
      if (version?.releasedAs?.revisionId !== _id)
        return [violation(_id, `${subject} belongs to a version that is not released as it.`)];
      if (version.n !== versionN)
        return [violation(_id, `${subject} states version ${versionN}, but belongs to version ${version.n}.`)];
      if (ordinal > last)
        return [violation(_id, `${subject} has ordinal ${ordinal}, but the highest of the document is ${last}.`)];
      return takenBack.has(label) ? [violation(_id, `${subject} has a label that was taken back.`)] : [];
    }),
    ...findDuplicates(revisions.map(({ label }) => label)).map((label) =>
      violation(document._id, `Document ${document.number} has two revisions with label ${label}.`),
    ),
    ...findDuplicates(revisions.map(({ ordinal }) => ordinal)).map((ordinal) =>
      violation(document._id, `Document ${document.number} has two revisions with ordinal ${ordinal}.`),
    ),
  ];
}

function findDuplicates<T>(values: readonly T[]): T[] {
  return [...new Set(values.filter((value, i) => values.indexOf(value) !== i))];
}
