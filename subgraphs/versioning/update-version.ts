// Updates the name and comment of drafts and versions.
import { assertVersionWritable } from '../core/commands/assert-writable.ts';
import { changesBetween } from '../core/domain/audit/audit-event.ts';
import { validateAll } from '../core/domain/errors.ts';
import { assertNotNull } from '../core/domain/text/assert-not-null.ts';
import { validateComment, validateName } from '../core/domain/text/text.ts';
import { touchDocument } from '../core/store/documents.ts';
import { change } from '../core/store/query/records.ts';
import type { VersionRecord } from '../core/store/schema/collections.ts';
import { lockVersion } from '../core/store/versions.ts';
import type { Work } from '../core/work.ts';

type Input = { id: string; name?: string | null; comment?: string | null };

/**
 * Updates the name or comment of a draft or version. Omitted fields stay; null clears the comment. Throws
 * `workspace_reserved` for a draft that another user has reserved.
 */
export async function updateVersion(work: Work, { id, name, comment }: Input): Promise<VersionRecord> {
  assertNotNull({ name });
  const { document, workspace, version } = await lockVersion(work, id);

  await assertVersionWritable(work, { document, workspace, version });
  const after = validateAll({
    name: () => (name == null ? version.name : validateName(name)),
    comment: () => (comment === undefined ? version.comment : validateComment(comment)),
  });
  if (after.name === version.name && after.comment === version.comment) {
    work.unchanged();
    return version;
  }

  const subject = version.type === 'draft' ? `The draft of workspace "${workspace.name}"` : `Version ${version.n}`;
  await touchDocument(work, document._id);
  work.audit({
    action: `${version.type}.updated`,
    documentId: document._id,
    workspaceId: workspace._id,
    versionId: id,
    summary: `${subject} of ${document.number} was updated.`,
    changes: changesBetween(version, after, ['name', 'comment']),
  });
  return change(work, 'versions', id, { ...after, updatedAt: work.now });
}
