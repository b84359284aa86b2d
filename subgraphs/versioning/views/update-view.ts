// Renames named views and replaces what they show.
import { isDeepStrictEqual } from 'node:util';
import { changesBetween } from '../../core/domain/audit/audit-event.ts';
import { assertNotNull } from '../../core/domain/text/assert-not-null.ts';
import { foldCase, validateName } from '../../core/domain/text/text.ts';
import { describeDraftOrVersion } from '../../core/domain/versions/describe-draft-or-version.ts';
import { assertNotArchived } from '../../core/domain/versions/lifecycle.ts';
import { type SceneInput, validateScene } from '../../core/domain/versions/named-view.ts';
import { change } from '../../core/store/query/records.ts';
import type { ViewRecord } from '../../core/store/schema/collections.ts';
import { lockView, viewsOf } from '../../core/store/views.ts';
import type { Work } from '../../core/work.ts';
import { requireFreeViewName } from './require-free-view-name.ts';

type Input = { id: string; name?: string | null; scene?: SceneInput | null };

/** Updates the name or the scene of a view; omitted fields stay. Throws as `createView`. */
export async function updateView(work: Work, input: Input): Promise<ViewRecord> {
  assertNotNull({ name: input.name, scene: input.scene });
  const { view, ...context } = await lockView(work, input.id);

  assertNotArchived(context);
  const name =
    input.name == null
      ? view.name
      : requireFreeViewName(await viewsOf(work, [view.versionId]), validateName(input.name), context, view);
  const scene = input.scene == null ? view.scene : validateScene(input.scene);
  if (name === view.name && isDeepStrictEqual(scene, view.scene)) {
    work.unchanged();
    return view;
  }

  work.audit({
    action: 'view.updated',
    documentId: context.document._id,
    workspaceId: context.workspace._id,
    versionId: view.versionId,
    summary: `View "${name}" of ${describeDraftOrVersion(context)} was updated.`,
    changes: { viewId: { from: view._id, to: view._id }, ...changesBetween(view, { name, scene }, ['name', 'scene']) },
  });
  return change(work, 'views', view._id, { name, nameKey: foldCase(name), scene, updatedAt: work.now });
}
