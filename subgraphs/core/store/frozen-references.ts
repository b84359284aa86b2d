import type { FrozenChild, LabelUser } from '../domain/release.ts';
import type { ReferenceRecord } from './collections.ts';
import { findAll } from './records.ts';
import { referencesOfAll } from './references.ts';
import { inChunks } from './resolve-references.ts';
import { revisionsOfVersions } from './revisions.ts';
import { collection, type Scope, within } from './scope.ts';

/** What a version uses, as it was frozen, with the releases there are of that now. */
export async function frozenChildren(scope: Scope, versionId: string): Promise<FrozenChild[]> {
  return (await frozenChildrenOf(scope, [versionId])).map(({ child }) => child);
}

/** The same for some versions: two queries. `versionId` is the version that uses the child. */
export async function frozenChildrenOf(scope: Scope, versionIds: readonly string[]): Promise<{ versionId: string; child: FrozenChild }[]> {
  const lines = await referencesOfAll(scope, versionIds);
  const used = [...new Set(lines.flatMap(({ frozen }) => frozen?.versionId ?? []))];
  const revisions = await inChunks(used, (some) => revisionsOfVersions(scope, some));
  const released = new Map(revisions.map(({ versionId, label, obsolete }) => [versionId, { label, obsolete }]));
  return lines.flatMap(({ versionId, frozen }) => {
    if (!frozen) return [];
    const { documentId, number, n, versionId: childId } = frozen;
    return [{ versionId, child: { documentId, number, n, versionId: childId, revision: released.get(childId) ?? null } }];
  });
}

type Named = { _id: string; number: string };

const MOST_USERS = 100;

/** The drafts and versions of other documents that name a document by this label; of many the first hundred. */
export async function usersOfLabel(scope: Scope, document: Named, label: string): Promise<LabelUser[]> {
  return (await usersOfLabels(scope, [{ document, label }])).map(({ user }) => user);
}

/** The same for some labels: two queries. */
export async function usersOfLabels(
  scope: Scope,
  labels: readonly { document: Named; label: string }[],
): Promise<{ documentId: string; label: string; user: LabelUser }[]> {
  const owner = new Map(labels.flatMap(({ document }) => [document._id, document.number].map((name) => [name, document._id] as const)));
  const filter = { target: { $in: [...owner.keys()] }, 'at.label': { $in: [...new Set(labels.map(({ label }) => label))] } };
  const lines = await collection(scope, 'references')
    .find(filter, within(scope))
    .limit(MOST_USERS * labels.length)
    .toArray();
  const users = await usersIn(scope, lines);
  return lines.flatMap((line, i) => {
    const [documentId, user] = [owner.get(line.target), users[i]];
    return documentId && user && line.at.as === 'revision' && line.documentId !== documentId ? [{ documentId, label: line.at.label, user }] : [];
  });
}

/** The drafts and versions of other documents that use a document by any address; of many the first hundred. */
export async function usersOfDocument(scope: Scope, document: Named): Promise<LabelUser[]> {
  return (await usersOfDocuments(scope, [document])).map(({ user }) => user);
}

/** The same for some documents: two queries. */
export async function usersOfDocuments(scope: Scope, documents: readonly Named[]): Promise<{ documentId: string; user: LabelUser }[]> {
  const owner = new Map(documents.flatMap(({ _id, number }) => [_id, number].map((name) => [name, _id] as const)));
  const lines = await collection(scope, 'references')
    .find({ target: { $in: [...owner.keys()] } }, within(scope))
    .limit(MOST_USERS * documents.length)
    .toArray();
  const users = await usersIn(scope, lines);
  return lines.flatMap((line, i) => {
    const [documentId, user] = [owner.get(line.target), users[i]];
    return documentId && user && line.documentId !== documentId ? [{ documentId, user }] : [];
  });
}

async function usersIn(scope: Scope, lines: readonly ReferenceRecord[]): Promise<(LabelUser | null)[]> {
  const documents = new Map(
    (await findAll(scope, 'documents', [...new Set(lines.map(({ documentId }) => documentId))])).map((document) => [document._id, document]),
  );
  return lines.map(({ documentId, versionId, place, location }) => {
    const document = documents.get(documentId);
    return document ? { documentId, number: document.number, versionId, type: place === 'draft' ? 'draft' : 'version', location } : null;
  });
}
