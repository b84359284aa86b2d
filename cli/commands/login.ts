import type { CompleteSetupMutation, ReadCurrentUserQuery } from '../../rest-adapter/generated/operations.ts';
import { createApi } from '../api.ts';
import type { CliCommand } from '../command.ts';
import { type Credentials, parseServiceUrl, storeCredentials } from '../credentials.ts';
import { CliError, EXIT } from '../exit.ts';
import { sanitize, type Terminal, writeJson, writeLine } from '../terminal.ts';

type Options = { token?: string; name?: string; json?: true };

/** `pdm login`: verifies a token and stores it with the URL of the service. */
export const login: CliCommand = {
  define: (command) =>
    command
      .argument('[url]', 'URL of the service, or the sign-in link of its first start (default: http://127.0.0.1:8080)')
      .option(
        '--token <token>',
        'access token; visible to other users of this machine, so prefer PDM_TOKEN or the prompt',
      )
      .option('--name <name>', 'with the token of the first start: set up the first administrator under this name'),
  async run(terminal, { token: tokenOption, name, json }: Options, urlArg?: string) {
    const { PDM_URL, PDM_TOKEN } = terminal.environment;
    const { url, token: linkToken } = parseServiceUrl(urlArg ?? PDM_URL);
    const token = (tokenOption ?? linkToken ?? PDM_TOKEN ?? (await terminal.promptSecret(`Token for ${url}: `))).trim();
    if (!/^[\x21-\x7E]+$/.test(token))
      throw new CliError('The token is invalid: it must be printable ASCII without spaces.', EXIT.usage);
    if (url.startsWith('http:') && !LOOPBACK.test(new URL(url).hostname))
      writeLine(terminal.err, `Warning: ${url} does not use TLS; the token is sent unencrypted.`);

    const credentials = name === undefined ? { url, token } : await completeSetup(terminal, { url, token }, name);
    const me = await createApi(terminal, credentials).get<ReadCurrentUserQuery['me']>('/me');
    const file = storeCredentials(terminal, credentials);
    if (json) writeJson(terminal, me);
    else writeLine(terminal.out, `Signed in to ${url} as ${sanitize(me.name)} (${me.role}). Token stored in ${file}.`);
    if (me.setupRequired)
      writeLine(
        terminal.err,
        'This is the token of the first start. Run "pdm login --name <your name>" to get your own.',
      );
    return EXIT.success;
  },
};

// Stores the new token before anything can fail, because it is returned only once.
async function completeSetup(terminal: Terminal, { url, token }: Credentials, name: string): Promise<Credentials> {
  const api = createApi(terminal, { url, token });
  const created = await api.post<CompleteSetupMutation['completeSetup']>('/setup', { name });
  const credentials = { url, token: created.token };
  storeCredentials(terminal, credentials);
  return credentials;
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;
