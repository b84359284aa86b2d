// Queries on named views.
import { insertAll, lock } from './query/records.ts';
import { collection, type Scope, within } from './query/scope.ts';
import type { Write } from './query/write.ts';
import type { ViewRecord } from './schema/collections.ts';
import { lockVersion, type VersionContext } from './versions.ts';

/** Returns the views of several drafts and versions, those of each in the order of their creation. */
export function viewsOf(scope: Scope, versionIds: readonly string[]): Promise<ViewRecord[]> {
  return collection(scope, 'views')
    .find({ versionId: { $in: [...versionIds] } }, within(scope))
    .sort({ versionId: 1, _id: 1 })
    .toArray();
}

/** Gives a new version the views of the draft that it was created from. */
export async function copyViews(work: Write, draftId: string, versionId: string): Promise<void> {
  const views = await viewsOf(work, [draftId]);
  await insertAll(
    work,
    'views',
    views.map((view) => ({ ...view, _id: work.newId('nvw'), versionId, lock: 0 })),
  );
}

/** Returns a view with its draft or version, workspace and document, all locked. Throws `not_found`. */
export async function lockView(work: Write, id: string): Promise<VersionContext & { view: ViewRecord }> {
  const view = await lock(work, 'views', id);
  return { view, ...(await lockVersion(work, view.versionId)) };
}
