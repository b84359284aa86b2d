import type { CliCommand } from '../cli/command.ts';
import { CliError, EXIT } from '../cli/exit.ts';
import { writeJson, writeLine } from '../cli/terminal.ts';
import { ROLES, type Role } from '../subgraphs/core/domain/access/permissions.ts';
import { DomainError } from '../subgraphs/core/domain/errors.ts';
import { validateName } from '../subgraphs/core/domain/text/text.ts';
import { createLog } from '../subgraphs/core/platform/log.ts';
import { createServices } from '../subgraphs/core/services.ts';
import { issueTokenTo } from '../subgraphs/documents/access/issue-token.ts';
import { withStore } from './open-store.ts';
import { readSettings } from './settings.ts';

const DEFAULT_DAYS: Record<Role, number> = { viewer: 90, editor: 90, admin: 90, worker: 365 };
const MAX_DAYS = 3650;

type Options = { role: string; name: string; days?: string; json?: true };

/** `pdm token create`: creates a user with a token, for example after losing every token. Prints the token to stdout. */
export const tokenCreate: CliCommand = {
  define: (command) =>
    command
      .requiredOption('--role <role>', `role of the user: ${ROLES.join(', ')}`)
      .requiredOption('--name <name>', 'name of the user')
      .option(
        '--days <days>',
        `days until the token expires, at most ${MAX_DAYS} (default: ${DEFAULT_DAYS.editor}, for workers ${DEFAULT_DAYS.worker})`,
      )
      .option('--json', 'print the token and its user as JSON'),
  async run(terminal, options: Options) {
    const request = parseOptions(options);
    const config = readSettings();
    const log = createLog({ name: 'pdm', pretty: false, level: 'error' });
    const token = await withStore(config, (mongo) => issueTokenTo(createServices(mongo, config, log), request));
    writeLine(
      terminal.err,
      `Created user "${request.name}" (${request.role}) with a token that is valid for ${request.days} days. The token is shown only once:`,
    );
    if (options.json) writeJson(terminal, { ...request, token });
    else writeLine(terminal.out, token);
    return EXIT.success;
  },
};

function parseOptions(options: Options): { role: Role; name: string; days: number } {
  const role = ROLES.find((known) => known === options.role);
  if (!role) throw new CliError(`--role must be one of ${ROLES.join(', ')}.`, EXIT.usage);
  const name = parseName(options.name);
  const days = options.days === undefined ? DEFAULT_DAYS[role] : Number(options.days);
  if (!Number.isInteger(days) || days < 1 || days > MAX_DAYS)
    throw new CliError(`--days must be an integer from 1 to ${MAX_DAYS}.`, EXIT.usage);
  return { role, name, days };
}

function parseName(name: string): string {
  try {
    return validateName(name, '--name');
  } catch (error) {
    if (error instanceof DomainError) throw new CliError(error.message, EXIT.usage);
    throw error;
  }
}
