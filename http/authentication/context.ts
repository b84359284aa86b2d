import { hash } from 'node:crypto';
import type { Actor } from '../../subgraphs/core/domain/access/actor.ts';
import { tokenPrefix } from '../../subgraphs/core/domain/access/token.ts';
import { DomainError } from '../../subgraphs/core/domain/errors.ts';
import type { Services } from '../../subgraphs/core/work.ts';
import {
  authenticate,
  authenticateSession,
  type Good,
  type SignIn,
} from '../../subgraphs/documents/access/authenticate.ts';
import type { IdentityProvider } from '../../subgraphs/documents/access/oidc.ts';
import { signInsOf } from '../../subgraphs/documents/access/sign-ins.ts';
import { securityLog } from './security-log.ts';
import { signInLimit } from './sign-in-limit.ts';

/** What a request shows of who asks: an Authorization header, or the secret of a browser's session. */
export type Credentials = { authorization?: string; session?: string; ip: string };

export type Door = {
  /**
   * Credentials → who asks. A good credential is remembered for 5 seconds, which bounds how long a revoked one lives; what is
   * remembered is its hash. Refuses with `unauthenticated`, and after 10 wrong credentials within a minute from one address with
   * `rate_limited`; credentials that were good before are not held up by what others at their address do, nor are sessions.
   */
  authenticate(request: Credentials): Promise<Actor>;
  /** The same for a token that a session is to begin with: looked up now, and with all that is known of it. */
  check(request: { authorization: string; ip: string }): Promise<Good>;
};

/** Where everybody comes in who asks this process. */
export function doorOf(services: Services, provider: IdentityProvider | null = null): Door {
  const known = signInsOf(services);
  const limit = signInLimit();
  const note = securityLog(services.log);

  const withToken = async ({ authorization, ip }: Credentials): Promise<Good> => {
    const answer = await authenticate(services, authorization, provider);
    if ('refused' in answer && answer.refused === 'wrong') limit.failed(ip);
    const token = tokenPrefix(authorization?.split(' ').at(-1) ?? '');
    if ('refused' in answer && answer.refused !== 'missing')
      note({ ip, token, why: answer.refused }, 'a sign-in was refused');
    return goodOf(answer);
  };

  const refuseHasty = (key: string, ip: string): void => {
    const seconds = known.wasGood(key) ? 0 : limit.secondsLeft(ip);
    if (!seconds) return;
    note({ ip, seconds }, 'sign-ins from this address wait');
    throw new DomainError('rate_limited', `Too many sign-ins failed. Try again in ${seconds} s.`, {
      retryAfter: seconds,
    });
  };

  return {
    async authenticate(request) {
      const { authorization, session, ip } = request;
      if (authorization) {
        const key = keyOf(authorization);
        const actor = known.fresh(key);
        if (actor) return actor;
        refuseHasty(key, ip);
        return known.remember(key, async () => (await withToken(request)).actor);
      }
      if (!session) return goodOf({ refused: 'missing' }).actor;
      const key = keyOf(`session\n${session}`); // no header has a line break, so none is taken for a session
      return (
        known.fresh(key) ??
        known.remember(key, async () => goodOf(await authenticateSession(services, session), ENDED).actor)
      );
    },
    async check(request) {
      const key = keyOf(request.authorization);
      refuseHasty(key, request.ip);
      const looked = withToken(request);
      await known.remember(key, async () => (await looked).actor);
      return looked;
    },
  };
}

const keyOf = (credential: string): string => hash('sha256', credential, 'base64');

function goodOf(answer: SignIn, told: string = BAD): Good {
  if ('actor' in answer) return answer;
  throw new DomainError('unauthenticated', answer.refused === 'missing' ? MISSING : told);
}

// nothing is told about which of them it was
const BAD = 'The token is unknown, expired or revoked.';
const ENDED = 'The session has ended. Sign in again.';
const MISSING = 'Send a token: Authorization: Bearer pdm_…';
