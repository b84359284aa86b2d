// Copies documents.
import { copyArtifacts } from '../core/commands/copy-artifacts.ts';
import { insertMainWorkspace } from '../core/commands/insert-main-workspace.ts';
import { refuse, validateAll } from '../core/domain/errors.ts';
import { validateNumber } from '../core/domain/number.ts';
import { validateName } from '../core/domain/text/text.ts';
import { documentRecord, getByIdOrNumber } from '../core/store/documents.ts';
import { artifactsOf } from '../core/store/files/artifacts.ts';
import { assignNumber } from '../core/store/numbers.ts';
import { get, insert, lock } from '../core/store/query/records.ts';
import type { Scope } from '../core/store/query/scope.ts';
import type { DocumentRecord, VersionRecord } from '../core/store/schema/collections.ts';
import { jobsAwaitedBy, newestVersion } from '../core/store/versions.ts';
import { mainWorkspace } from '../core/store/workspaces.ts';
import type { Work } from '../core/work.ts';

type Input = { id: string; name?: string | null; number?: string | null; versionId?: string | null };

/**
 * Creates an independent copy with new ids, a new number and one main workspace, whose draft gets the content of the
 * given draft or version (default: the newest version, else the main draft). The copy shares the stored file contents.
 * The original may be archived. Throws `number_taken`, `not_found`, or `wrong_document` if the version is of another
 * document.
 */
export async function copyDocument(work: Work, { id, name, number, versionId }: Input): Promise<DocumentRecord> {
  const original = await getByIdOrNumber(work, id);
  const content = await contentToCopy(work, original, versionId);
  if (original.folderId) await lock(work, 'folders', original.folderId);

  const given = validateAll({
    name: () => (name == null ? original.name : validateName(name)),
    number: () => (number == null ? null : validateNumber(number)),
  });
  const documentId = work.newId('doc');
  const newNumber = await assignNumber(work, { documentId, kind: original.kind, given: given.number });

  const copy = documentRecord(work, {
    _id: documentId,
    number: newNumber,
    name: given.name,
    kind: original.kind,
    description: original.description,
    folderId: original.folderId,
    copiedFrom: { documentId: original._id, versionId: content._id },
  });
  await insert(work, 'documents', copy);
  const awaitsJobs = await jobsAwaitedBy(work, content, await artifactsOf(work, content._id));
  const { workspaceId, draftId } = await insertMainWorkspace(work, copy._id, {
    awaitsJobs,
    bomDigest: content.bomDigest,
    code: content.code,
  });
  await copyArtifacts(work, content._id, { versionId: draftId, documentId: copy._id });
  work.audit({
    action: 'document.copied',
    documentId: copy._id,
    versionId: draftId,
    workspaceId,
    summary: `Document ${newNumber} was created as a copy of ${original.number}, ${content.name}.`,
    changes: { copiedFrom: { from: null, to: copy.copiedFrom } },
  });
  return copy;
}

async function contentToCopy(
  scope: Scope,
  document: DocumentRecord,
  versionId: string | null | undefined,
): Promise<VersionRecord> {
  if (versionId == null)
    return (
      (await newestVersion(scope, document._id)) ??
      get(scope, 'versions', (await mainWorkspace(scope, document._id)).draftId)
    );
  const version = await get(scope, 'versions', versionId);
  if (version.documentId !== document._id)
    refuse('wrong_document', `${versionId} is not a draft or version of document ${document.number}.`, {
      versionId,
      documentId: document._id,
    });
  return version;
}
