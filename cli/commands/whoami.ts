import type { ReadCurrentUserQuery } from '../../rest-adapter/generated/operations.ts';
import { createApi } from '../api.ts';
import type { CliCommand } from '../command.ts';
import { EXIT } from '../exit.ts';
import { formatTime, sanitize, writeJson, writeLine } from '../terminal.ts';

/** `pdm whoami`: prints the signed-in user and the service. */
export const whoami: CliCommand = {
  define: () => undefined,
  async run(terminal, { json }: { json?: true }) {
    const api = createApi(terminal);
    const me = await api.get<ReadCurrentUserQuery['me']>('/me');
    if (json) {
      writeJson(terminal, { ...me, url: api.url });
      return EXIT.success;
    }
    const expiry = me.token?.expiresAt ? `, token valid until ${formatTime(me.token.expiresAt)}` : '';
    writeLine(terminal.out, `${sanitize(me.name)} (${me.role}) at ${api.url}${expiry}`);
    return EXIT.success;
  },
};
