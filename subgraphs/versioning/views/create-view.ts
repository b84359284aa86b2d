// Creates named views.
import { refuse } from '../../core/domain/errors.ts';
import { foldCase, validateName } from '../../core/domain/text/text.ts';
import { describeDraftOrVersion } from '../../core/domain/versions/describe-draft-or-version.ts';
import { assertNotArchived } from '../../core/domain/versions/lifecycle.ts';
import { type SceneInput, VIEW_LIMITS, validateScene } from '../../core/domain/versions/named-view.ts';
import { insert } from '../../core/store/query/records.ts';
import type { ViewRecord } from '../../core/store/schema/collections.ts';
import { lockVersion } from '../../core/store/versions.ts';
import { viewsOf } from '../../core/store/views.ts';
import type { Work } from '../../core/work.ts';
import { requireFreeViewName } from './require-free-view-name.ts';

type Input = { versionId: string; name: string; scene: SceneInput };

/**
 * Creates a named view of a draft or version, also of a reserved one, because its content does not change. Throws
 * `name_taken`, `document_archived`, `workspace_archived`, and `validation_failed` beyond 50 views.
 */
export async function createView(work: Work, input: Input): Promise<ViewRecord> {
  const context = await lockVersion(work, input.versionId);
  const { document, workspace, version } = context;
  const views = await viewsOf(work, [version._id]);

  assertNotArchived(context);
  if (views.length >= VIEW_LIMITS.perVersion)
    refuse(
      'validation_failed',
      `There are already ${views.length} named views of ${describeDraftOrVersion(context)}, the maximum. Delete one first.`,
      { limit: 'views', allowed: VIEW_LIMITS.perVersion },
    );
  const name = requireFreeViewName(views, validateName(input.name), context);
  const scene = validateScene(input.scene);

  const _id = work.newId('nvw');
  work.audit({
    action: 'view.created',
    documentId: document._id,
    workspaceId: workspace._id,
    versionId: version._id,
    summary: `View "${name}" of ${describeDraftOrVersion(context)} was created.`,
    changes: { viewId: { from: null, to: _id }, name: { from: null, to: name } },
  });
  return insert(work, 'views', {
    _id,
    documentId: document._id,
    versionId: version._id,
    name,
    nameKey: foldCase(name),
    scene,
    createdAt: work.now,
    createdBy: work.actor.id,
    updatedAt: work.now,
    lock: 0,
  });
}
