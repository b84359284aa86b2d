import { hash } from 'node:crypto';
import { DomainError } from '../subgraphs/core/domain/errors.ts';
import { tokenPrefix } from '../subgraphs/core/domain/token.ts';
import type { Actor, Services } from '../subgraphs/core/work.ts';
import { authenticate } from '../subgraphs/documents/authenticate.ts';
import type { IdentityProvider } from '../subgraphs/documents/oidc.ts';
import { signInsOf } from '../subgraphs/documents/sign-ins.ts';
import { securityLog } from './security-log.ts';
import { signInLimit } from './sign-in-limit.ts';

export type Credentials = { authorization?: string; ip: string };

/**
 * Credentials → who asks. A good credential is remembered for 5 seconds, which bounds how long a revoked one lives; what is
 * remembered is its hash. Refuses with `unauthenticated`, and after 10 wrong credentials within a minute from one address with
 * `rate_limited`; credentials that were good before are not held up by what others at their address do.
 */
export function authenticator(services: Services, provider: IdentityProvider | null = null): (request: Credentials) => Promise<Actor> {
  const known = signInsOf(services);
  const limit = signInLimit();
  const note = securityLog(services.log);

  const signIn = async ({ authorization, ip }: Credentials): Promise<Actor> => {
    const answer = await authenticate(services, authorization, provider);
    if ('actor' in answer) return answer.actor;
    if (answer.refused === 'wrong') limit.failed(ip);
    const token = tokenPrefix(authorization?.split(' ').at(-1) ?? '');
    if (answer.refused !== 'missing') note({ ip, token, why: answer.refused }, 'a sign-in was refused');
    throw new DomainError('unauthenticated', TOLD[answer.refused]);
  };

  return async (request) => {
    if (!request.authorization) return signIn(request);
    const key = hash('sha256', request.authorization, 'base64');
    const actor = known.fresh(key);
    if (actor) return actor;
    const seconds = known.wasGood(key) ? 0 : limit.secondsLeft(request.ip);
    if (seconds) {
      note({ ip: request.ip, seconds }, 'sign-ins from this address wait');
      throw new DomainError('rate_limited', `Too many sign-ins failed. Try again in ${seconds} s.`, { retryAfter: seconds });
    }
    return known.remember(key, () => signIn(request));
  };
}

// nothing is told about which of them it was
const BAD = 'The token is unknown, expired or revoked.';
const TOLD = { missing: 'Send a token: Authorization: Bearer pdm_…', wrong: BAD, ended: BAD };
