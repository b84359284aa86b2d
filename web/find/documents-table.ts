// The document list as a table, and as CSV (RFC 4180).
import { currentRevision } from '../document/version-label.ts';
import type { ListedDocument } from './use-document-list.ts';

type Row = Pick<
  ListedDocument,
  'number' | 'name' | 'kind' | 'archived' | 'folder' | 'updatedAt' | 'updatedBy' | 'workspaces' | 'revisions'
>;

const TITLES = [
  'Number',
  'Name',
  'Kind',
  'Revision',
  'Newest version',
  'Checked out by',
  'Folder',
  'Archived',
  'Changed',
  'Changed by',
];

/** The titles and the cells of each document. */
export const documentsTable = (documents: readonly Row[]): string[][] => [TITLES, ...documents.map(cellsOf)];

export const tableCsv = (table: readonly string[][]): string =>
  table.map((cells) => `${cells.map(quoted).join(',')}\r\n`).join('');

function cellsOf({ number, name, kind, archived, folder, updatedAt, updatedBy, workspaces, revisions }: Row): string[] {
  const newest = Math.max(0, ...workspaces.map(({ newestVersion }) => newestVersion?.n ?? 0));
  const holders = workspaces.flatMap(({ reservation }) => reservation?.by.name ?? []);
  return [
    number,
    name,
    kind,
    currentRevision(revisions)?.label ?? '',
    newest === 0 ? '' : `v${newest}`,
    holders.join(', '),
    folder?.path ?? '',
    archived ? 'yes' : '',
    updatedAt,
    updatedBy.name,
  ];
}

// a leading = + - or @ would be a formula in a spreadsheet
function quoted(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
