import type { WorkspaceFragment } from '../../rest-adapter/generated/operations.ts';
import { apiFor, part } from '../api.ts';
import type { Deed } from '../deed.ts';
import { EXIT } from '../exit.ts';
import { documentOf, workspaceOf } from '../named.ts';
import { plain, say, sayJson } from '../terminal.ts';

type Options = { workspace?: string; force?: true; json?: true };

/** Gives a reserved draft back. */
export const checkin: Deed = {
  define: (command) =>
    command
      .argument('<document>', 'its number or id')
      .option('--workspace <name>', 'the draft of this workspace instead of the main one')
      .option('--force', 'though somebody else holds it; for administrators'),
  async run(terminal, { workspace, force, json }: Options, given: string) {
    const api = apiFor(terminal);
    const document = await documentOf(api, given);
    const { id, name } = workspaceOf(document, workspace);
    const free = await api.post<WorkspaceFragment>(`/workspaces/${part(id)}/checkin`, { force });
    if (json) sayJson(terminal, free);
    else say(terminal.out, `The draft of ${document.number} (${plain(name)}) is free.`);
    return EXIT.good;
  },
};
