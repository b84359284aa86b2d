import type { ReservationFragment } from '../../rest-adapter/generated/operations.ts';
import { apiFor, part } from '../api.ts';
import type { Deed } from '../deed.ts';
import { EXIT } from '../exit.ts';
import { documentOf, workspaceOf } from '../named.ts';
import { countIn } from '../number.ts';
import { plain, say, sayJson, when } from '../terminal.ts';

type Options = { workspace?: string; note?: string; seconds?: number; json?: true };

/** Reserves a draft, or keeps it longer. */
export const checkout: Deed = {
  define: (command) =>
    command
      .argument('<document>', 'its number or id')
      .option('--workspace <name>', 'the draft of this workspace instead of the main one')
      .option('--note <text>', 'what for; others are told')
      .option('--seconds <count>', 'for how long, 60 to 86400 (usually 900); once more renews it', countIn),
  async run(terminal, { workspace, note, seconds, json }: Options, given: string) {
    const api = apiFor(terminal);
    const document = await documentOf(api, given);
    const { id, name } = workspaceOf(document, workspace);
    const held = await api.post<ReservationFragment>(`/workspaces/${part(id)}/checkout`, { note, ttlSeconds: seconds });
    if (json) sayJson(terminal, held);
    else
      say(
        terminal.out,
        `The draft of ${document.number} (${plain(name)}) is reserved for you until ${when(held.expiresAt)}.`,
      );
    return EXIT.good;
  },
};
