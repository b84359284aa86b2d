import type { ArtifactFragment, DocumentFragment } from '../../rest-adapter/generated/operations.ts';
import { type Api, allOf, apiFor, part } from '../api.ts';
import type { Deed } from '../deed.ts';
import { EXIT } from '../exit.ts';
import { documentOf, stateName } from '../named.ts';
import { bytes, painter, plain, say, sayJson, table, when } from '../terminal.ts';

/** Shows a document: its workspaces with the files of their drafts, its versions and releases. */
export const show: Deed = {
  define: (command) => command.argument('<document>', 'its number or id'),
  async run(terminal, { json }: { json?: true }, name: string) {
    const api = apiFor(terminal);
    const document = await documentOf(api, name);
    if (json) sayJson(terminal, document);
    else
      for (const line of await linesOf(api, document, painter(terminal.out, terminal.environment)))
        say(terminal.out, line);
    return EXIT.good;
  },
};

async function linesOf(api: Api, document: DocumentFragment, paint: ReturnType<typeof painter>): Promise<string[]> {
  const { number, name, kind, archived, description, createdAt, createdBy, workspaces, versions, revisions } = document;
  const labels = new Map(
    revisions.map(({ versionId, label, obsolete }) => [versionId, `${label}${obsolete ? ' (obsolete)' : ''}`]),
  );
  const branches: (string | null)[][] = [];
  for (const { name, draftId, archived, reservation } of workspaces) {
    const { items } = await allOf<ArtifactFragment>(api, `/versions/${part(draftId)}/artifacts`);
    const files = items.map(({ kind, fileName, size }) => `${kind}: ${fileName}, ${bytes(size)}`);
    const asked = reservation?.askedBy.length
      ? `, asked for by ${reservation.askedBy.map(({ by }) => by.name).join(', ')}`
      : '';
    const held = reservation ? `${reservation.by.name} until ${when(reservation.expiresAt)}${asked}` : null;
    branches.push([archived ? `${name} (archived)` : name, held, files.join('; ') || 'no files']);
  }
  const made = versions.map((version) => [
    stateName({ ...version, releasedAs: null }),
    labels.get(version.id) ?? null,
    version.name,
    when(version.createdAt),
    version.createdBy.name,
    version.comment,
  ]);
  return [
    `${paint('bold', number)}  ${plain(name)}  ${kind}${archived ? ' (archived)' : ''}`,
    ...(description ? [plain(description)] : []),
    `made ${when(createdAt)} by ${plain(createdBy.name)}, ${document.id}`,
    '',
    ...table(['Workspace', 'Reserved by', 'Files of the draft'], branches, paint),
    ...(made.length ? ['', ...table(['Version', 'Released as', 'Name', 'Made', 'By', 'Comment'], made, paint)] : []),
  ];
}
