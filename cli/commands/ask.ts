import type { ReservationFragment } from '../../rest-adapter/generated/operations.ts';
import { apiFor, part } from '../api.ts';
import type { Deed } from '../deed.ts';
import { EXIT } from '../exit.ts';
import { documentOf, workspaceOf } from '../named.ts';
import { plain, say, sayJson, when } from '../terminal.ts';

type Options = { workspace?: string; note?: string; json?: true };

/** Asks whoever holds a draft to give it back. */
export const askFor: Deed = {
  define: (command) =>
    command
      .argument('<document>', 'its number or id')
      .option('--workspace <name>', 'the draft of this workspace instead of the main one')
      .option('--note <text>', 'what the holder should know'),
  async run(terminal, { workspace, note, json }: Options, given: string) {
    const api = apiFor(terminal);
    const document = await documentOf(api, given);
    const { id, name } = workspaceOf(document, workspace);
    const held = await api.post<ReservationFragment>(`/workspaces/${part(id)}/checkout/ask`, { note });
    if (json) sayJson(terminal, held);
    else
      say(
        terminal.out,
        `${plain(held.by.name)} is asked for the draft of ${document.number} (${plain(name)}), reserved until ${when(held.expiresAt)}.`,
      );
    return EXIT.good;
  },
};
