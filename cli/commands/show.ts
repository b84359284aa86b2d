import type { ArtifactFragment, DocumentFragment } from '../../rest-adapter/generated/operations.ts';
import { type Api, createApi, listAll, pathSegment } from '../api.ts';
import type { CliCommand } from '../command.ts';
import { fetchDocument, versionLabel } from '../document-reference.ts';
import { EXIT } from '../exit.ts';
import { createStyler, formatBytes, formatTable, formatTime, sanitize, writeJson, writeLine } from '../terminal.ts';

/** `pdm show`: prints a document with its workspaces, draft files, versions and revisions. */
export const show: CliCommand = {
  define: (command) => command.argument('<document>', 'document number or id'),
  async run(terminal, { json }: { json?: true }, documentArg: string) {
    const api = createApi(terminal);
    const document = await fetchDocument(api, documentArg);
    const style = createStyler(terminal.out, terminal.environment);
    if (json) writeJson(terminal, document);
    else for (const line of await formatDocument(api, document, style)) writeLine(terminal.out, line);
    return EXIT.success;
  },
};

async function formatDocument(
  api: Api,
  document: DocumentFragment,
  style: ReturnType<typeof createStyler>,
): Promise<string[]> {
  const { id, number, name, kind, archived, description, createdAt, createdBy, workspaces } = document;
  const workspaceRows: (string | null)[][] = [];
  for (const workspace of workspaces) workspaceRows.push(await workspaceRow(api, workspace));
  const lines = [`${style('bold', number)}  ${sanitize(name)}  ${kind}${archived ? ' (archived)' : ''}`];
  if (description) lines.push(sanitize(description));
  lines.push(`created ${formatTime(createdAt)} by ${sanitize(createdBy.name)}, ${id}`, '');
  lines.push(...formatTable(['Workspace', 'Reserved by', 'Files of the draft'], workspaceRows, style));
  if (document.versions.length) {
    const titles = ['Version', 'Revision', 'Name', 'Created', 'By', 'Comment'];
    lines.push('', ...formatTable(titles, versionRows(document), style));
  }
  return lines;
}

type Workspace = DocumentFragment['workspaces'][number];

async function workspaceRow(api: Api, { name, draftId, archived, reservation }: Workspace): Promise<(string | null)[]> {
  const { items } = await listAll<ArtifactFragment>(api, `/versions/${pathSegment(draftId)}/artifacts`);
  const files = items.map(({ kind, fileName, size }) => `${kind}: ${fileName}, ${formatBytes(size)}`);
  return [archived ? `${name} (archived)` : name, formatReservation(reservation), files.join('; ') || 'no files'];
}

function formatReservation(reservation: Workspace['reservation']): string | null {
  if (!reservation) return null;
  const requesters = reservation.checkinRequests.map(({ by }) => by.name).join(', ');
  const requested = requesters ? `, check-in requested by ${requesters}` : '';
  return `${reservation.by.name} until ${formatTime(reservation.expiresAt)}${requested}`;
}

function versionRows({ versions, revisions }: DocumentFragment): (string | null)[][] {
  const labels = new Map(
    revisions.map(({ versionId, label, obsolete }) => [versionId, obsolete ? `${label} (obsolete)` : label]),
  );
  return versions.map((version) => [
    versionLabel({ ...version, releasedAs: null }),
    labels.get(version.id) ?? null,
    version.name,
    formatTime(version.createdAt),
    version.createdBy.name,
    version.comment,
  ]);
}
