import type { ListViewsQuery } from '../../rest-adapter/generated/operations.ts';
import { createApi, listAll, pathSegment } from '../api.ts';
import type { CliCommand } from '../command.ts';
import { type DraftOptions, resolveVersionId } from '../document-reference.ts';
import { EXIT } from '../exit.ts';
import { createStyler, formatTable, sanitize, writeJson, writeLine } from '../terminal.ts';

type Options = DraftOptions & { json?: true };
type View = NonNullable<ListViewsQuery['version']>['viewPage']['items'][number];

/** `pdm views`: lists the named views of a draft or version. */
export const views: CliCommand = {
  define: (command) =>
    command
      .argument('<document>', 'number or id, optionally with @v3 or @B (default: newest release, else newest version)')
      .option('--draft', 'use the draft of the main workspace')
      .option('--workspace <name>', 'use the draft of this workspace'),
  async run(terminal, { draft, workspace, json }: Options, documentArg: string) {
    const api = createApi(terminal);
    const id = await resolveVersionId(api, documentArg, { draft, workspace });
    const found = await listAll<View>(api, `/versions/${pathSegment(id)}/views`, {});
    const { out, environment } = terminal;
    if (json) writeJson(terminal, found);
    else if (!found.items.length) writeLine(out, `No named views of ${documentArg}.`);
    else {
      const rows = found.items.map((view) => [
        view.id,
        sanitize(view.name),
        view.scene.sections.length,
        view.scene.hidden.length,
        sanitize(view.createdBy.name),
      ]);
      const titles = ['Id', 'Name', 'Sections', 'Hidden parts', 'Created by'];
      for (const line of formatTable(titles, rows, createStyler(out, environment))) writeLine(out, line);
    }
    return EXIT.success;
  },
};
