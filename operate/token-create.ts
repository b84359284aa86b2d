import { servicesOn } from '../gateway/services.ts';
import { ROLES, type Role } from '../subgraphs/core/domain/permissions.ts';
import { createLog } from '../subgraphs/core/log.ts';
import { issueTokenTo } from '../subgraphs/documents/issue-token.ts';
import { EXIT, type Given, type OperatorCommand, OperatorError } from './command.ts';
import { withStore } from './open-store.ts';

const USUAL_DAYS: Record<Role, number> = { viewer: 90, editor: 90, admin: 90, worker: 365 };
const MOST_DAYS = 3650;

/** Makes a user and a token for it: the way back in when every token is lost. The token alone goes to standard output. */
export const tokenCreate: OperatorCommand = {
  words: 'token create',
  usage: 'token create --role viewer|editor|admin|worker --name NAME [--days DAYS]',
  says: 'Make a user with a token that ends after DAYS (usually 90, for a worker 365); it is shown once.',
  options: { role: { type: 'string' }, name: { type: 'string' }, days: { type: 'string' } },
  run: async (given, config) => {
    const order = orderIn(given);
    const token = await withStore(config, (mongo) =>
      issueTokenTo(servicesOn(mongo, config, createLog({ name: 'pdm', pretty: false, level: 'error' })), order),
    );
    console.error(`A token for "${order.name}" with the role ${order.role}, good for ${order.days} days. It is shown once and stored nowhere:`);
    console.log(token);
    return EXIT.good;
  },
};

function orderIn(given: Given): { role: Role; name: string; days: number } {
  const role = ROLES.find((known) => known === given.role);
  if (!role) throw new OperatorError(`--role must be one of ${ROLES.join(', ')}.`, EXIT.usage);
  const name = String(given.name ?? '').trim();
  if (!name) throw new OperatorError('--name is needed: whom the token is for.', EXIT.usage);
  const days = given.days === undefined ? USUAL_DAYS[role] : Number(given.days);
  if (!Number.isInteger(days) || days < 1 || days > MOST_DAYS)
    throw new OperatorError(`--days must be a whole number from 1 to ${MOST_DAYS}.`, EXIT.usage);
  return { role, name, days };
}
