import type { DocumentSummaryFragment } from '../../rest-adapter/generated/operations.ts';
import { createApi, listAll } from '../api.ts';
import type { CliCommand } from '../command.ts';
import { findFolderId } from '../document-reference.ts';
import { EXIT } from '../exit.ts';
import { parsePositiveInteger } from '../positive-integer.ts';
import { createStyler, formatTable, formatTime, writeJson, writeLine } from '../terminal.ts';

type Options = { folder?: string; kind?: string; includeArchived?: true; sort?: string; limit: number; json?: true };

/** `pdm list`: lists or searches documents. */
export const list: CliCommand = {
  define: (command) =>
    command
      .argument('[query]', 'number, start of a number, words of the name or description, or a "phrase"')
      .option('--folder <folder>', 'list only this folder and its subfolders (path or id), or unfiled')
      .option('--kind <kind>', 'list only documents of this kind: model, assembly or code')
      .option('--include-archived', 'include archived documents')
      .option('--sort <key>', 'number, name, createdAt or updatedAt; prefix it with - for descending order')
      .option('--limit <count>', 'maximum number of documents', parsePositiveInteger, 50),
  async run(terminal, { folder, kind, includeArchived, sort, limit, json }: Options, q?: string) {
    const api = createApi(terminal);
    const folderId = folder === 'unfiled' ? folder : await findFolderId(api, folder);
    const recursive = folderId && folderId !== 'unfiled' ? true : undefined;
    const found = await listAll<DocumentSummaryFragment>(
      api,
      '/documents',
      { q, folderId, recursive, kind, includeArchived, sort },
      limit,
    );
    if (json) {
      writeJson(terminal, found);
      return EXIT.success;
    }
    if (!found.items.length) {
      writeLine(terminal.out, 'No documents found.');
      return EXIT.success;
    }
    const rows = found.items.map(({ number, name, kind, archived, updatedAt, updatedBy }) => [
      number,
      archived ? `${name} (archived)` : name,
      kind,
      formatTime(updatedAt),
      updatedBy.name,
    ]);
    const titles = ['Number', 'Name', 'Kind', 'Updated', 'By'];
    const style = createStyler(terminal.out, terminal.environment);
    for (const line of formatTable(titles, rows, style)) writeLine(terminal.out, line);
    if (found.nextCursor)
      writeLine(terminal.err, `Only the first ${limit} documents are shown; use --limit to show more.`);
    return EXIT.success;
  },
};
