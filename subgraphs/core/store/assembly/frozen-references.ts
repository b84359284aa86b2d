import type { FrozenChild, LabelUser } from '../../domain/versions/release.ts';
import { findAll } from '../query/records.ts';
import { collection, type Scope, within } from '../query/scope.ts';
import { someOfEach } from '../query/some-of-each.ts';
import { revisionsOfVersions } from '../revisions.ts';
import type { ReferenceRecord } from '../schema/collections.ts';
import { referencesOfAll } from './references.ts';
import { inChunks } from './resolve-references.ts';

/** What a version uses, as it was frozen, with the releases there are of that now. */
export async function frozenChildren(scope: Scope, versionId: string): Promise<FrozenChild[]> {
  return (await frozenChildrenOf(scope, [versionId])).map(({ child }) => child);
}

/** The same for some versions: two queries. `versionId` is the version that uses the child. */
export async function frozenChildrenOf(
  scope: Scope,
  versionIds: readonly string[],
): Promise<{ versionId: string; child: FrozenChild }[]> {
  const lines = await referencesOfAll(scope, versionIds);
  const used = [...new Set(lines.flatMap(({ frozen }) => frozen?.versionId ?? []))];
  const revisions = await inChunks(used, (some) => revisionsOfVersions(scope, some));
  const released = new Map(revisions.map(({ versionId, label, obsolete }) => [versionId, { label, obsolete }]));
  return lines.flatMap(({ versionId, frozen }) => {
    if (!frozen) return [];
    const { documentId, number, n, versionId: childId } = frozen;
    return [
      { versionId, child: { documentId, number, n, versionId: childId, revision: released.get(childId) ?? null } },
    ];
  });
}

type Named = { _id: string; number: string };

const MOST_USERS = 100;

/** The drafts and versions of other documents that name a document by this label; of many the first hundred. */
export async function usersOfLabel(scope: Scope, document: Named, label: string): Promise<LabelUser[]> {
  return (await usersOfLabels(scope, [{ document, label }])).map(({ user }) => user);
}

/** The same for some labels: two queries, unless there are very many. */
export async function usersOfLabels(
  scope: Scope,
  labels: readonly { document: Named; label: string }[],
): Promise<{ documentId: string; label: string; user: LabelUser }[]> {
  const owner = ownersOf(labels.map(({ document }) => document));
  const named = ({ target, at }: ReferenceRecord) => `${owner.get(target)}@${at.as === 'revision' ? at.label : ''}`;
  const read = (some: typeof labels, limit: number) =>
    collection(scope, 'references')
      .find(
        { $or: some.map(({ document, label }) => ({ target: { $in: namesOf(document) }, 'at.label': label })) },
        within(scope),
      )
      .limit(limit)
      .toArray();
  const lines = await someOfEach(labels, MOST_USERS, read, named);
  const users = await usersIn(scope, lines);
  return lines.flatMap((line, i) => {
    const [documentId, user] = [owner.get(line.target), users[i]];
    return documentId && user && line.at.as === 'revision' && line.documentId !== documentId
      ? [{ documentId, label: line.at.label, user }]
      : [];
  });
}

/** The drafts and versions of other documents that use a document by any address; of many the first hundred. */
export async function usersOfDocument(scope: Scope, document: Named): Promise<LabelUser[]> {
  return (await usersOfDocuments(scope, [document])).map(({ user }) => user);
}

/** The same for some documents: two queries, unless there are very many. */
export async function usersOfDocuments(
  scope: Scope,
  documents: readonly Named[],
): Promise<{ documentId: string; user: LabelUser }[]> {
  const owner = ownersOf(documents);
  const read = (some: readonly Named[], limit: number) =>
    collection(scope, 'references')
      .find({ target: { $in: some.flatMap(namesOf) } }, within(scope))
      .limit(limit)
      .toArray();
  const lines = await someOfEach(documents, MOST_USERS, read, ({ target }) => owner.get(target));
  const users = await usersIn(scope, lines);
  return lines.flatMap((line, i) => {
    const [documentId, user] = [owner.get(line.target), users[i]];
    return documentId && user && line.documentId !== documentId ? [{ documentId, user }] : [];
  });
}

const namesOf = ({ _id, number }: Named): string[] => [_id, number];

function ownersOf(documents: readonly Named[]): Map<string, string> {
  return new Map(documents.flatMap((document) => namesOf(document).map((name) => [name, document._id] as const)));
}

async function usersIn(scope: Scope, lines: readonly ReferenceRecord[]): Promise<(LabelUser | null)[]> {
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
