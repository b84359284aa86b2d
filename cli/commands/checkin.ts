import type { WorkspaceFragment } from '../../rest-adapter/generated/operations.ts';
import { createApi, pathSegment } from '../api.ts';
import type { CliCommand } from '../command.ts';
import { fetchDocument, findWorkspace } from '../document-reference.ts';
import { EXIT } from '../exit.ts';
import { sanitize, writeJson, writeLine } from '../terminal.ts';

type Options = { workspace?: string; force?: true; json?: true };

/** `pdm checkin`: ends the reservation of a draft. */
export const checkin: CliCommand = {
  define: (command) =>
    command
      .argument('<document>', 'document number or id')
      .option('--workspace <name>', 'workspace of the draft (default: the main workspace)')
      .option('--force', "end another user's reservation (administrators only)"),
  async run(terminal, { workspace, force, json }: Options, documentArg: string) {
    const api = createApi(terminal);
    const document = await fetchDocument(api, documentArg);
    const { id, name } = findWorkspace(document, workspace);
    const updated = await api.post<WorkspaceFragment>(`/workspaces/${pathSegment(id)}/checkin`, { force });
    if (json) writeJson(terminal, updated);
    else writeLine(terminal.out, `Checked in the draft of ${document.number} (${sanitize(name)}).`);
    return EXIT.success;
  },
};
