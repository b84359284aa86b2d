import type { ReadMeQuery } from '../../rest-adapter/generated/operations.ts';
import { apiFor } from '../api.ts';
import type { Deed } from '../deed.ts';
import { EXIT, Failure } from '../exit.ts';
import { addressOf, keep } from '../sign-in.ts';
import { plain, say, sayJson } from '../terminal.ts';

type Options = { token?: string; json?: true };

/** Signs in: tries the token, then keeps it with the address. */
export const login: Deed = {
  define: (command) =>
    command
      .argument(
        '[url]',
        'the address of the service, or the sign-in link of its first start (usually http://127.0.0.1:8080)',
      )
      .option(
        '--token <token>',
        'the token; others on this machine may see it there: PDM_TOKEN, or typing it when asked, is safer',
      ),
  async run(terminal, { token: given, json }: Options, address?: string) {
    const { PDM_URL, PDM_TOKEN } = terminal.environment;
    const { url, token: linked } = addressOf(address ?? PDM_URL);
    const token = (given ?? linked ?? PDM_TOKEN ?? (await terminal.askSecret(`Token for ${url}: `))).trim();
    if (!/^[\x21-\x7E]+$/.test(token))
      throw new Failure('That is no token. It begins with pdm_ and is shown once, when it is made.', EXIT.usage);
    if (url.startsWith('http:') && !LOOPBACK.test(new URL(url).hostname))
      say(terminal.err, `${url} is not encrypted: whoever listens on the way can take the token.`);

    const me = await apiFor(terminal, { url, token }).get<ReadMeQuery['me']>('/me');
    const file = keep(terminal, { url, token });
    if (json) sayJson(terminal, me);
    else say(terminal.out, `Signed in at ${url} as ${plain(me.name)} (${me.role}); kept in ${file}.`);
    return EXIT.good;
  },
};

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;
