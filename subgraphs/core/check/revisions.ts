import type { WholeDocument } from '../store/query/whole-collections.ts';
import type { Violation } from './invariant.ts';

/** Versions and revisions name each other, and no label or ordinal was given twice. */
export function revisionFaults({ document, versions, revisions }: WholeDocument): Violation[] {
  const fault = (id: string, says: string): Violation => ({ invariant: 'I6', id, message: says });
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
        : [fault(_id, `${name} of ${document.number} is released as ${id}, which does not say so.`)];
    }),
    ...revisions.flatMap(({ _id, label, versionId, versionN, ordinal }) => {
      const of = `Revision ${label} of ${document.number}`;
      const version = versions.find((candidate) => candidate._id === versionId);
      if (version?.releasedAs?.revisionId !== _id) return [fault(_id, `${of} is of a version that does not say so.`)];
      if (version.n !== versionN) return [fault(_id, `${of} names version ${versionN}, and is of ${version.n}.`)];
      if (ordinal > last) return [fault(_id, `${of} is number ${ordinal}, and the document counts ${last}.`)];
      return takenBack.has(label) ? [fault(_id, `${of} has a label that was taken back.`)] : [];
    }),
    ...repeated(revisions.map(({ label }) => label)).map((label) =>
      fault(document._id, `Document ${document.number} has two revisions ${label}.`),
    ),
    ...repeated(revisions.map(({ ordinal }) => ordinal)).map((ordinal) =>
      fault(document._id, `Document ${document.number} has two revisions number ${ordinal}.`),
    ),
  ];
}

function repeated<T>(values: readonly T[]): T[] {
  return [...new Set(values.filter((value, i) => values.indexOf(value) !== i))];
}
