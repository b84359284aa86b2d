import type { ReservationFragment } from '../../rest-adapter/generated/operations.ts';
import { createApi, pathSegment } from '../api.ts';
import type { CliCommand } from '../command.ts';
import { fetchDocument, findWorkspace } from '../document-reference.ts';
import { EXIT } from '../exit.ts';
import { parsePositiveInteger } from '../positive-integer.ts';
import { formatTime, sanitize, writeJson, writeLine } from '../terminal.ts';

type Options = { workspace?: string; note?: string; ttl?: number; json?: true };

/** `pdm checkout`: reserves a draft, or extends its reservation. */
export const checkout: CliCommand = {
  define: (command) =>
    command
      .argument('<document>', 'document number or id')
      .option('--workspace <name>', 'workspace of the draft (default: the main workspace)')
      .option('--note <text>', 'reason, shown to other users')
      .option(
        '--ttl <seconds>',
        'duration of the reservation in seconds, 60 to 86400; check out again to extend it (default: set by the service)',
        parsePositiveInteger,
      ),
  async run(terminal, { workspace, note, ttl, json }: Options, documentArg: string) {
    const api = createApi(terminal);
    const document = await fetchDocument(api, documentArg);
    const { id, name } = findWorkspace(document, workspace);
    const reservation = await api.post<ReservationFragment>(`/workspaces/${pathSegment(id)}/checkout`, {
      note,
      ttlSeconds: ttl,
    });
    if (json) writeJson(terminal, reservation);
    else
      writeLine(
        terminal.out,
        `Checked out the draft of ${document.number} (${sanitize(name)}) until ${formatTime(reservation.expiresAt)}.`,
      );
    return EXIT.success;
  },
};
