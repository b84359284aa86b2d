import { createHash } from 'node:crypto';
import type { Actor, Services } from '../subgraphs/core/work.ts';
import { authenticate } from '../subgraphs/documents/authenticate.ts';

const CACHED_FOR = 5_000;
const MOST_CACHED = 1_000;

/**
 * Credentials → who asks. A good token is remembered for 5 seconds, which bounds how long a revoked one lives; what is
 * remembered is its hash. Refuses with `unauthenticated`.
 */
export function authenticator(services: Services): (request: { authorization?: string }) => Promise<Actor> {
  const known = new Map<string, { actor: Promise<Actor>; until: number }>();
  return async ({ authorization }) => {
    const key = createHash('sha256')
      .update(authorization ?? '')
      .digest('base64');
    const found = known.get(key);
    if (found && found.until > Date.now()) return found.actor;
    const actor = authenticate(services, authorization);
    known.delete(key);
    known.set(key, { actor, until: Date.now() + CACHED_FOR });
    if (known.size > MOST_CACHED) known.delete(known.keys().next().value ?? '');
    return actor.catch((error) => {
      known.delete(key);
      throw error;
    });
  };
}
