// Actions on the selected documents of the list, one request for each document.
import pLimit from 'p-limit';
import {
  ArchiveDocumentDocument,
  CheckInDocument,
  CheckOutDocument,
  DownloadFilesDocument,
  FindDocumentsDocument,
  type FindDocumentsQueryVariables,
  UnarchiveDocumentDocument,
} from '../generated/operations.ts';
import { execute, restRequest } from '../shell/api-client.ts';
import { messageOf } from '../ui/errors.ts';
import { formatBytes } from '../ui/format.ts';
import { saveFile } from '../ui/save-file.ts';
import { runWithToast, showError, showSuccess, showUndoable } from '../ui/toasts.tsx';
import { documentsTable, tableCsv } from './documents-table.ts';
import type { ListedDocument } from './use-document-list.ts';

type Documents = readonly ListedDocument[];

const limitChanges = pLimit(4);
const MAX_LISTED_ERRORS = 3;

export const archiveAll = (documents: Documents): Promise<void> =>
  changeAll(documents, 'Archived', archive, { undo: (done) => void unarchiveAll(done) });

export const unarchiveAll = (documents: Documents): Promise<void> =>
  changeAll(documents, 'Unarchived', ({ id }) => execute(UnarchiveDocumentDocument, { id }), {
    undo: (done) => void changeAll(done, 'Archived', archive),
  });

/** Checks out the drafts of the main workspaces. */
export const checkOutAll = (documents: Documents): Promise<void> =>
  changeAll(documents, 'Checked out', (each) => execute(CheckOutDocument, { id: mainWorkspaceId(each) }), {
    undo: (done) => void checkInAll(done),
  });

/** Ends the reservations of the main workspaces. */
export const checkInAll = (documents: Documents): Promise<void> =>
  changeAll(documents, 'Checked in', (each) => execute(CheckInDocument, { id: mainWorkspaceId(each) }), {
    undo: (done) => void checkOutAll(done),
  });

/** Returns who has checked out the draft of the main workspace; null if nobody has. */
export const holderOf = ({ workspaces }: ListedDocument): { id: string; name: string } | null =>
  workspaces[0]?.reservation?.by ?? null;

/** Downloads all documents of a list as a table, also those that are not loaded yet. */
export function exportList(variables: FindDocumentsQueryVariables, format: 'csv' | 'xlsx'): Promise<boolean> {
  return runWithToast(async () => {
    const documents: ListedDocument[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = (await execute(FindDocumentsDocument, { ...variables, cursor })).documents;
      documents.push(...page.items);
      cursor = page.nextCursor;
    }
    const table = documentsTable(documents);
    if (format === 'csv') saveFile(new Blob([tableCsv(table)], { type: 'text/csv' }), 'documents.csv');
    else saveFile(await (await import('./xlsx.ts')).createXlsx('Documents', table), 'documents.xlsx');
  });
}

/** Downloads the uploaded files of the main drafts as a ZIP archive with a folder for each document. */
export function downloadAll(documents: Documents): Promise<boolean> {
  return runWithToast(async () => {
    const found = await Promise.all(
      documents.map(async ({ id, number }) => {
        const { document } = await execute(DownloadFilesDocument, { id });
        const uploaded = document?.workspaces[0]?.draft.artifacts.filter(({ generator }) => generator === null) ?? [];
        return uploaded.map((file) => ({ ...file, name: `${number}/${file.fileName}` }));
      }),
    );
    const files = found.flat();
    if (files.length === 0) throw new Error('The selected documents have no uploaded files.');
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    if (bytes > MAX_ZIP_BYTES)
      throw new Error(
        `The files have ${formatBytes(bytes)}; the maximum is ${formatBytes(MAX_ZIP_BYTES)}. Select fewer documents.`,
      );
    const { downloadZip } = await import('client-zip');
    async function* inputs() {
      for (const { id, name } of files) yield { name, input: await restRequest(`/artifacts/${id}/file`) };
    }
    saveFile(await downloadZip(inputs()).blob(), 'documents.zip');
  });
}

// the archive is in the memory of the browser
const MAX_ZIP_BYTES = 2e9;

const archive = ({ id }: ListedDocument) => execute(ArchiveDocumentDocument, { id });

// workspaces start with the main one, which every document has
const mainWorkspaceId = ({ workspaces }: ListedDocument): string => workspaces[0]?.id ?? '';

/** Offers `undo` for a minute, or reports the success with `onDone`. */
type Outcome = { undo?: (changed: Documents) => void; onDone?: (text: string) => void };

/** Runs a change on each document, a few at a time; reports the successes and the errors. */
export async function changeAll(
  documents: Documents,
  done: string,
  change: (document: ListedDocument) => Promise<unknown>,
  { undo, onDone = showSuccess }: Outcome = {},
): Promise<void> {
  const changed: ListedDocument[] = [];
  const errors: string[] = [];
  const changeOne = async (document: ListedDocument) => {
    try {
      await change(document);
      changed.push(document);
    } catch (error) {
      errors.push(`${document.number}: ${messageOf(error)}`);
    }
  };
  await Promise.all(documents.map((each) => limitChanges(() => changeOne(each))));
  const text = `${done} ${nameOf(changed)}.`;
  if (changed.length > 0 && undo) showUndoable(text, () => undo(changed));
  else if (changed.length > 0) onDone(text);
  if (errors.length > MAX_LISTED_ERRORS)
    errors.splice(MAX_LISTED_ERRORS, errors.length, `and ${errors.length - MAX_LISTED_ERRORS} more`);
  if (errors.length > 0) showError(errors.join(' · '));
}

const nameOf = (documents: Documents): string =>
  documents.length === 1 ? (documents[0]?.number ?? '') : `${documents.length} documents`;
