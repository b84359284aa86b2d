import type { WhereUsedQuery } from '../../rest-adapter/generated/operations.ts';
import { createApi, listAll, pathSegment } from '../api.ts';
import type { CliCommand } from '../command.ts';
import { parseDocumentReference, versionLabel } from '../document-reference.ts';
import { EXIT } from '../exit.ts';
import { createStyler, formatTable, type Terminal, writeJson, writeLine } from '../terminal.ts';

type Options = { allLevels?: true; scope?: string; drafts: boolean; json?: true };
type Use = WhereUsedQuery['whereUsed']['items'][number];

/** `pdm where-used`: lists the assemblies that use a document. */
export const whereUsed: CliCommand = {
  define: (command) =>
    command
      .argument('<document>', 'number or id; with @v3 or @B, list only uses of that version or revision')
      .option('--all-levels', 'include indirect uses at all levels')
      .option('--scope <scope>', 'versions of the assemblies to list: latest, released or all')
      .option('--no-drafts', 'exclude drafts'),
  async run(terminal, { allLevels, scope, drafts, json }: Options, documentArg: string) {
    const { document, version } = parseDocumentReference(documentArg);
    const query = { levels: allLevels ? 'all' : undefined, scope, drafts: drafts ? undefined : false, of: version };
    const found = await listAll<Use>(createApi(terminal), `/documents/${pathSegment(document)}/where-used`, query);
    if (json) writeJson(terminal, found);
    else if (!found.items.length) writeLine(terminal.out, `No assembly uses ${documentArg}.`);
    else printUses(terminal, found.items);
    return EXIT.success;
  },
};

function printUses({ out, environment }: Terminal, uses: readonly Use[]): void {
  const rows = uses.map(({ level, document, version, location, quantity, addressForm, resolution }) => [
    level,
    document.number,
    document.name,
    `${versionLabel(version)} of ${version.workspace.name}`,
    quantity,
    `${addressForm} ${location.replace('pdm://documents/', '')}`,
    resolution ? `v${resolution.n}` : null,
  ]);
  const titles = ['Level', 'Number', 'Name', 'Used in', 'Quantity', 'Reference', 'Resolves to'];
  for (const line of formatTable(titles, rows, createStyler(out, environment))) writeLine(out, line);
}
