import type { DocumentSummaryFragment } from '../../rest-adapter/generated/operations.ts';
import { allOf, apiFor } from '../api.ts';
import type { Deed } from '../deed.ts';
import { EXIT } from '../exit.ts';
import { folderIdOf } from '../named.ts';
import { countIn } from '../number.ts';
import { painter, say, sayJson, table, when } from '../terminal.ts';

type Options = { folder?: string; kind?: string; archived?: true; sort?: string; limit: number; json?: true };

/** Lists or searches documents. */
export const list: Deed = {
  define: (command) =>
    command
      .argument('[query]', 'a number, the beginning of one, words of name or description, or a "phrase"')
      .option('--folder <folder>', 'only in this folder and those inside it: its path or id, or unfiled')
      .option('--kind <kind>', 'only model, assembly or code')
      .option('--archived', 'archived documents too')
      .option('--sort <key>', 'number, name, createdAt or updatedAt; with - before it from the last one')
      .option('--limit <count>', 'how many at most', countIn, 50),
  async run(terminal, { folder, kind, archived, sort, limit, json }: Options, q?: string) {
    const api = apiFor(terminal);
    const folderId = folder === 'unfiled' ? folder : await folderIdOf(api, folder);
    const inside = folderId && folderId !== 'unfiled' ? true : undefined;
    const found = await allOf<DocumentSummaryFragment>(
      api,
      '/documents',
      { q, folderId, recursive: inside, kind, includeArchived: archived, sort },
      limit,
    );
    if (json) {
      sayJson(terminal, found);
      return EXIT.good;
    }
    const rows = found.items.map(({ number, name, kind, archived, updatedAt, updatedBy }) => [
      ...[number, archived ? `${name} (archived)` : name, kind],
      ...[when(updatedAt), updatedBy.name],
    ]);
    for (const line of table(
      ['Number', 'Name', 'Kind', 'Changed', 'By'],
      rows,
      painter(terminal.out, terminal.environment),
    ))
      say(terminal.out, line);
    if (found.nextCursor) say(terminal.err, `The first ${limit}; --limit shows more.`);
    return EXIT.good;
  },
};
