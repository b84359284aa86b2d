import type { ReservationFragment } from '../../rest-adapter/generated/operations.ts';
import { createApi, pathSegment } from '../api.ts';
import type { CliCommand } from '../command.ts';
import { fetchDocument, findWorkspace } from '../document-reference.ts';
import { EXIT } from '../exit.ts';
import { formatTime, sanitize, writeJson, writeLine } from '../terminal.ts';

type Options = { workspace?: string; note?: string; json?: true };

/** `pdm request-checkin`: asks the user who has checked out a draft to check it in. */
export const requestCheckin: CliCommand = {
  define: (command) =>
    command
      .argument('<document>', 'document number or id')
      .option('--workspace <name>', 'workspace of the draft (default: the main workspace)')
      .option('--note <text>', 'message to the user who has checked out the draft'),
  async run(terminal, { workspace, note, json }: Options, documentArg: string) {
    const api = createApi(terminal);
    const document = await fetchDocument(api, documentArg);
    const { id, name } = findWorkspace(document, workspace);
    const reservation = await api.post<ReservationFragment>(`/workspaces/${pathSegment(id)}/request-checkin`, { note });
    if (json) writeJson(terminal, reservation);
    else
      writeLine(
        terminal.out,
        `Asked ${sanitize(reservation.by.name)} to check in the draft of ${document.number} (${sanitize(name)}), reserved until ${formatTime(reservation.expiresAt)}.`,
      );
    return EXIT.success;
  },
};
