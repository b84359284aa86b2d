import type { MyReservationFragment, ReadMyReservationsQuery } from '../../rest-adapter/generated/operations.ts';
import { createApi } from '../api.ts';
import type { CliCommand } from '../command.ts';
import { EXIT } from '../exit.ts';
import { createStyler, formatTable, formatTime, writeJson, writeLine } from '../terminal.ts';

/** `pdm reservations`: lists the user's reservations, and those of others whose check-in the user requested. */
export const reservations: CliCommand = {
  define: (command) => command,
  async run(terminal, { json }: { json?: true }) {
    const mine = await createApi(terminal).get<ReadMyReservationsQuery['myReservations']>('/me/reservations');
    if (json) {
      writeJson(terminal, mine);
      return EXIT.success;
    }
    const style = createStyler(terminal.out, terminal.environment);
    const tables: string[][] = [];
    if (mine.held.length)
      tables.push(
        formatTable(
          ['Your reservations', 'Workspace', 'Until', 'Requested by'],
          mine.held.map((reservation) => formatRow(reservation, requesters(reservation))),
          style,
        ),
      );
    if (mine.requested.length)
      tables.push(
        formatTable(
          ['Your requests', 'Workspace', 'Until', 'Reserved by'],
          mine.requested.map((reservation) => formatRow(reservation, reservation.by.name)),
          style,
        ),
      );
    if (!tables.length) writeLine(terminal.out, 'You have no reservations and no check-in requests.');
    else writeLine(terminal.out, tables.map((lines) => lines.join('\n')).join('\n\n'));
    return EXIT.success;
  },
};

function formatRow({ workspace, expiresAt }: MyReservationFragment, lastColumn: string): string[] {
  const { document, name } = workspace;
  return [`${document.number} ${document.name}`, name, formatTime(expiresAt), lastColumn];
}

function requesters({ checkinRequests }: MyReservationFragment): string {
  return checkinRequests.map(({ by, note }) => (note ? `${by.name} (${note})` : by.name)).join(', ');
}
