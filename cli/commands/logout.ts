import type { Deed } from '../deed.ts';
import { EXIT } from '../exit.ts';
import { forget } from '../sign-in.ts';
import { say, sayJson } from '../terminal.ts';

/** Forgets address and token. */
export const logout: Deed = {
  define: () => undefined,
  async run(terminal, { json }: { json?: true }) {
    forget(terminal);
    if (json) sayJson(terminal, null);
    else
      say(
        terminal.out,
        'Signed out here. The token goes on opening the service until it ends or is revoked (DELETE /tokens/:id).',
      );
    return EXIT.good;
  },
};
