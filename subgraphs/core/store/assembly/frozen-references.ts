// Queries on references: the versions that a version uses, and the drafts and versions that refer to a document or
// release.
import type { FrozenChild, Referrer } from '../../domain/versions/release.ts';
import { limitPerKey } from '../query/limit-per-key.ts';
import { findAll } from '../query/records.ts';
import { collection, type Scope, within } from '../query/scope.ts';
import { revisionsOfVersions } from '../revisions.ts';
import type { ReferenceRecord } from '../schema/collections.ts';
import { referencesOfAll } from './references.ts';
import { inChunks } from './resolve-references.ts';

/** Returns the versions that a version uses, as they were frozen, each with its current release. */
export async function frozenChildren(scope: Scope, versionId: string): Promise<FrozenChild[]> {
  return (await frozenChildrenOf(scope, [versionId])).map(({ child }) => child);
}

/** Like frozenChildren, for several versions with two queries. `versionId` is the version that uses the child. */
export async function frozenChildrenOf(
  scope: Scope,
  versionIds: readonly string[],
): Promise<{ versionId: string; child: FrozenChild }[]> {
  const lines = await referencesOfAll(scope, versionIds);
  const used = [...new Set(lines.flatMap(({ frozen }) => frozen?.versionId ?? []))];
  const revisions = await inChunks(used, (chunk) => revisionsOfVersions(scope, chunk));
  const released = new Map(revisions.map(({ versionId, label, obsolete }) => [versionId, { label, obsolete }]));
  return lines.flatMap(({ versionId, frozen }) => {
    if (!frozen) return [];
    const { documentId, number, n, versionId: childId } = frozen;
    return [
      { versionId, child: { documentId, number, n, versionId: childId, revision: released.get(childId) ?? null } },
    ];
  });
}

type DocumentName = { _id: string; number: string };

const MAX_REFERRERS = 100;

/** Returns at most 100 drafts and versions of other documents that refer to a document by this label. */
export async function referrersOfLabel(scope: Scope, document: DocumentName, label: string): Promise<Referrer[]> {
  return (await referrersOfLabels(scope, [{ document, label }])).map(({ referrer }) => referrer);
}

/** Like referrersOfLabel, for several labels with two queries, unless there are very many referrers. */
export async function referrersOfLabels(
  scope: Scope,
  labels: readonly { document: DocumentName; label: string }[],
): Promise<{ documentId: string; label: string; referrer: Referrer }[]> {
  const documentIds = documentIdsByName(labels.map(({ document }) => document));
  const labelKey = ({ target, at }: ReferenceRecord) =>
    `${documentIds.get(target)}@${at.as === 'revision' ? at.label : ''}`;
  const read = (some: typeof labels, limit: number) =>
    collection(scope, 'references')
      .find(
        { $or: some.map(({ document, label }) => ({ target: { $in: namesOf(document) }, 'at.label': label })) },
        within(scope),
      )
      .limit(limit)
      .toArray();
  const lines = await limitPerKey(labels, MAX_REFERRERS, read, labelKey);
  const referrers = await referrersIn(scope, lines);
  return lines.flatMap((line, i) => {
    const [documentId, referrer] = [documentIds.get(line.target), referrers[i]];
    return documentId && referrer && line.at.as === 'revision' && line.documentId !== documentId
      ? [{ documentId, label: line.at.label, referrer }]
      : [];
  });
}

/** Returns at most 100 drafts and versions of other documents that refer to a document by any address. */
export async function referrersOfDocument(scope: Scope, document: DocumentName): Promise<Referrer[]> {
  return (await referrersOfDocuments(scope, [document])).map(({ referrer }) => referrer);
}

/** Like referrersOfDocument, for several documents with two queries, unless there are very many referrers. */
export async function referrersOfDocuments(
  scope: Scope,
  documents: readonly DocumentName[],
): Promise<{ documentId: string; referrer: Referrer }[]> {
  const documentIds = documentIdsByName(documents);
  const read = (some: readonly DocumentName[], limit: number) =>
    collection(scope, 'references')
      .find({ target: { $in: some.flatMap(namesOf) } }, within(scope))
      .limit(limit)
      .toArray();
  const lines = await limitPerKey(documents, MAX_REFERRERS, read, ({ target }) => documentIds.get(target));
  const referrers = await referrersIn(scope, lines);
  return lines.flatMap((line, i) => {
    const [documentId, referrer] = [documentIds.get(line.target), referrers[i]];
    return documentId && referrer && line.documentId !== documentId ? [{ documentId, referrer }] : [];
  });
}

const namesOf = ({ _id, number }: DocumentName): string[] => [_id, number];

function documentIdsByName(documents: readonly DocumentName[]): Map<string, string> {
  return new Map(documents.flatMap((document) => namesOf(document).map((name) => [name, document._id] as const)));
}

async function referrersIn(scope: Scope, lines: readonly ReferenceRecord[]): Promise<(Referrer | null)[]> {
  const documents = new Map(
    (await findAll(scope, 'documents', [...new Set(lines.map(({ documentId }) => documentId))])).map((document) => [
      document._id,
      document,
    ]),
  );
  return lines.map(({ documentId, versionId, place, location }) => {
    const document = documents.get(documentId);
    return document
      ? { documentId, number: document.number, versionId, type: place === 'draft' ? 'draft' : 'version', location }
      : null;
  });
}
