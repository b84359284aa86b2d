import type { Deed } from '../cli/deed.ts';
import { EXIT, Failure } from '../cli/exit.ts';
import { say, sayJson } from '../cli/terminal.ts';
import { servicesOn } from '../gateway/services.ts';
import { DomainError } from '../subgraphs/core/domain/errors.ts';
import { ROLES, type Role } from '../subgraphs/core/domain/permissions.ts';
import { checkedName } from '../subgraphs/core/domain/text.ts';
import { createLog } from '../subgraphs/core/log.ts';
import { issueTokenTo } from '../subgraphs/documents/issue-token.ts';
import { withStore } from './open-store.ts';
import { operatorSettings } from './settings.ts';

const USUAL_DAYS: Record<Role, number> = { viewer: 90, editor: 90, admin: 90, worker: 365 };
const MOST_DAYS = 3650;

type Options = { role: string; name: string; days?: string; json?: true };

/** Makes a user and a token for it: the way back in when every token is lost. The token alone goes to standard output. */
export const tokenCreate: Deed = {
  define: (command) =>
    command
      .requiredOption('--role <role>', ROLES.join(', '))
      .requiredOption('--name <name>', 'whom the token is for')
      .option(
        '--days <days>',
        `until it ends, at most ${MOST_DAYS} (usually ${USUAL_DAYS.editor}, for a worker ${USUAL_DAYS.worker})`,
      )
      .option('--json', 'the token with its user as JSON'),
  async run(terminal, given: Options) {
    const order = orderIn(given);
    const config = operatorSettings();
    const log = createLog({ name: 'pdm', pretty: false, level: 'error' });
    const token = await withStore(config, (mongo) => issueTokenTo(servicesOn(mongo, config, log), order));
    say(
      terminal.err,
      `A token for "${order.name}" with the role ${order.role}, good for ${order.days} days. It is shown once and stored nowhere:`,
    );
    if (given.json) sayJson(terminal, { ...order, token });
    else say(terminal.out, token);
    return EXIT.good;
  },
};

function orderIn(given: Options): { role: Role; name: string; days: number } {
  const role = ROLES.find((known) => known === given.role);
  if (!role) throw new Failure(`--role must be one of ${ROLES.join(', ')}.`, EXIT.usage);
  const name = nameIn(given.name);
  const days = given.days === undefined ? USUAL_DAYS[role] : Number(given.days);
  if (!Number.isInteger(days) || days < 1 || days > MOST_DAYS)
    throw new Failure(`--days must be a whole number from 1 to ${MOST_DAYS}.`, EXIT.usage);
  return { role, name, days };
}

function nameIn(given: string): string {
  try {
    return checkedName(given, '--name');
  } catch (error) {
    if (error instanceof DomainError) throw new Failure(error.message, EXIT.usage);
    throw error;
  }
}
