import type { ReadMeQuery } from '../../rest-adapter/generated/operations.ts';
import { apiFor } from '../api.ts';
import type { Deed } from '../deed.ts';
import { EXIT } from '../exit.ts';
import { plain, say, sayJson, when } from '../terminal.ts';

/** Says whose token is used, and where. */
export const whoami: Deed = {
  define: () => undefined,
  async run(terminal, { json }: { json?: true }) {
    const api = apiFor(terminal);
    const me = await api.get<ReadMeQuery['me']>('/me');
    if (json) sayJson(terminal, { ...me, url: api.url });
    else
      say(
        terminal.out,
        `${plain(me.name)} (${me.role}) at ${api.url}${me.token?.expiresAt ? `, with a token until ${when(me.token.expiresAt)}` : ''}`,
      );
    return EXIT.good;
  },
};
