import type { MyReservationFragment, ReadMyReservationsQuery } from '../../rest-adapter/generated/operations.ts';
import { apiFor } from '../api.ts';
import type { Deed } from '../deed.ts';
import { EXIT } from '../exit.ts';
import { painter, say, sayJson, table, when } from '../terminal.ts';

/** Lists the drafts that one holds, with who asked for them, and those that one has asked for. */
export const held: Deed = {
  define: (command) => command,
  async run(terminal, { json }: { json?: true }) {
    const mine = await apiFor(terminal).get<ReadMyReservationsQuery['myReservations']>('/me/reservations');
    const paint = painter(terminal.out, terminal.environment);
    if (json) sayJson(terminal, mine);
    else if (mine.held.length + mine.askedFor.length === 0)
      say(terminal.out, 'You hold no draft, and have asked for none.');
    else {
      const parts = [
        ...(mine.held.length
          ? [table(['You hold', 'Workspace', 'Until', 'Asked for by'], mine.held.map(lineOf(wanting)), paint)]
          : []),
        ...(mine.askedFor.length
          ? [table(['You asked for', 'Workspace', 'Until', 'Held by'], mine.askedFor.map(lineOf(holder)), paint)]
          : []),
      ];
      for (const line of parts.flatMap((lines, place) => (place ? ['', ...lines] : lines))) say(terminal.out, line);
    }
    return EXIT.good;
  },
};

const lineOf = (last: (held: MyReservationFragment) => string) => (held: MyReservationFragment) => [
  `${held.workspace.document.number} ${held.workspace.document.name}`,
  held.workspace.name,
  when(held.expiresAt),
  last(held),
];
const wanting = ({ askedBy }: MyReservationFragment) =>
  askedBy.map(({ by, note }) => by.name + (note ? ` (${note})` : '')).join(', ');
const holder = ({ by }: MyReservationFragment) => by.name;
