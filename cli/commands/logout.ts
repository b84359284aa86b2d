import type { CliCommand } from '../command.ts';
import { deleteCredentials } from '../credentials.ts';
import { EXIT } from '../exit.ts';
import { writeJson, writeLine } from '../terminal.ts';

/** `pdm logout`: deletes the stored token. */
export const logout: CliCommand = {
  define: () => undefined,
  async run(terminal, { json }: { json?: true }) {
    deleteCredentials(terminal);
    if (json) writeJson(terminal, null);
    else
      writeLine(terminal.out, 'Signed out. The token stays valid until it expires or is revoked (DELETE /tokens/:id).');
    return EXIT.success;
  },
};
