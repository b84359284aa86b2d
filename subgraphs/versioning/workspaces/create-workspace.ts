// Creates workspaces.
import { copyArtifacts } from '../../core/commands/copy-artifacts.ts';
import { validateAll } from '../../core/domain/errors.ts';
import { validateComment, validateName } from '../../core/domain/text/text.ts';
import { assertWritableDocument } from '../../core/domain/versions/lifecycle.ts';
import { assertVersionOf } from '../../core/domain/versions/take-over.ts';
import { lockDocument, touchDocument } from '../../core/store/documents.ts';
import { artifactsOf } from '../../core/store/files/artifacts.ts';
import { get, insert } from '../../core/store/query/records.ts';
import type { DocumentRecord, VersionRecord, WorkspaceRecord } from '../../core/store/schema/collections.ts';
import { draftRecord, jobsAwaitedBy } from '../../core/store/versions.ts';
import { workspaceRecord } from '../../core/store/workspaces.ts';
import type { Work } from '../../core/work.ts';
import { requireFreeName } from './require-free-name.ts';

type Input = { documentId: string; name: string; fromVersionId: string; description?: string | null };

/**
 * Creates a workspace whose draft has the content of a version of the same document. The stored file contents are
 * shared. Throws `not_a_version` for a draft, `wrong_document` for a version of another document, and `name_taken`.
 */
export async function createWorkspace(work: Work, input: Input): Promise<WorkspaceRecord> {
  const document = await lockDocument(work, input.documentId);
  const from = await get(work, 'versions', input.fromVersionId);

  assertCanCreateWorkspace(document, from);
  const { name, description } = validateAll({
    name: () => validateName(input.name),
    description: () => validateComment(input.description, 'description'),
  });
  await requireFreeName(work, document, name);

  const draftId = work.newId('ver');
  const workspace = await insert(
    work,
    'workspaces',
    workspaceRecord(work, {
      _id: work.newId('wsp'),
      documentId: document._id,
      name,
      description,
      main: false,
      fromVersionId: from._id,
      draftId,
    }),
  );
  const draft = draftRecord(work, {
    documentId: document._id,
    workspaceId: workspace._id,
    draftId,
    basedOnVersionId: from._id,
  });
  const awaitsJobs = await jobsAwaitedBy(work, from, await artifactsOf(work, from._id));
  await insert(work, 'versions', { ...draft, awaitsJobs, bomDigest: from.bomDigest ?? null, code: from.code ?? null });
  await copyArtifacts(work, from._id, { versionId: draftId, documentId: document._id });
  await touchDocument(work, document._id);
  work.audit({
    action: 'workspace.created',
    documentId: document._id,
    workspaceId: workspace._id,
    versionId: draftId,
    summary: `Workspace "${name}" of ${document.number} was created from version ${from.n}.`,
    changes: {
      name: { from: null, to: name },
      description: { from: null, to: description },
      fromVersionId: { from: null, to: from._id },
    },
  });
  return workspace;
}

/** Throws unless a workspace can be created from this version. */
export function assertCanCreateWorkspace(document: DocumentRecord, from: VersionRecord): void {
  assertWritableDocument(document);
  assertVersionOf(document, from);
}
