import type { VersionFragment } from '../../rest-adapter/generated/operations.ts';
import { apiFor, part } from '../api.ts';
import type { Deed } from '../deed.ts';
import { EXIT } from '../exit.ts';
import { documentOf, workspaceOf } from '../named.ts';
import { plain, say, sayJson } from '../terminal.ts';

type Options = { workspace?: string; name?: string; comment?: string; key?: string; json?: true };

/** Makes a version of a draft. */
export const version: Deed = {
  define: (command) =>
    command
      .argument('<document>', 'its number or id')
      .option('--workspace <name>', 'of the draft of this workspace instead of the main one')
      .option('--name <name>', 'its name (usually V and its number)')
      .option('--comment <text>', 'what is new')
      .option('--key <key>', 'when repeated under the same key within a day, nothing is done twice'),
  async run(terminal, { workspace, name, comment, key, json }: Options, of: string) {
    const api = apiFor(terminal);
    const document = await documentOf(api, of);
    const { id } = workspaceOf(document, workspace);
    const made = await api.post<VersionFragment>(`/workspaces/${part(id)}/versions`, { name, comment }, key);
    if (json) sayJson(terminal, made);
    else say(terminal.out, `${document.number}@v${made.n} "${plain(made.name)}" is made.`);
    return EXIT.good;
  },
};
