// Authenticates the requests of this process, and throttles addresses that send wrong credentials.
import { hash } from 'node:crypto';
import type { Actor } from '../../subgraphs/core/domain/access/actor.ts';
import { tokenPrefix } from '../../subgraphs/core/domain/access/token.ts';
import { DomainError } from '../../subgraphs/core/domain/errors.ts';
import type { Services } from '../../subgraphs/core/work.ts';
import {
  type Authenticated,
  type AuthenticationResult,
  authenticate,
  authenticateSession,
} from '../../subgraphs/documents/access/authenticate.ts';
import { credentialCache } from '../../subgraphs/documents/access/credential-cache.ts';
import type { IdentityProvider } from '../../subgraphs/documents/access/oidc.ts';
import { createSecurityLog } from './security-log.ts';
import { createSignInLimit } from './sign-in-limit.ts';

/** The credentials of a request: an Authorization header, or the secret of a browser session. */
export type Credentials = { authorization?: string; session?: string; ip: string };

export type Authenticator = {
  /**
   * Returns the user. Valid credentials are cached for 5 seconds, under their hash. Throws `unauthenticated`, or
   * `rate_limited` after 10 wrong tokens from one address within a minute. The limit does not apply to sessions and
   * cached tokens.
   */
  authenticate(request: Credentials): Promise<Actor>;
  /** Authenticates a token for a new session: bypasses the cache and also returns the expiry. */
  verifyToken(request: { authorization: string; ip: string }): Promise<Authenticated>;
};

/** Creates the authenticator of this process. */
export function createAuthenticator(services: Services, provider: IdentityProvider | null = null): Authenticator {
  const cache = credentialCache(services);
  const limit = createSignInLimit();
  const logSecurity = createSecurityLog(services.log);

  const authenticateHeader = async ({ authorization, ip }: Credentials): Promise<Authenticated> => {
    const result = await authenticate(services, authorization, provider);
    if ('refused' in result && result.refused === 'invalid') limit.recordFailure(ip);
    const token = tokenPrefix(authorization?.split(' ').at(-1) ?? '');
    if ('refused' in result && result.refused !== 'missing')
      logSecurity({ ip, token, why: result.refused }, 'sign-in refused');
    return assertAuthenticated(result);
  };

  const rejectIfThrottled = (key: string, ip: string): void => {
    const seconds = cache.wasValid(key) ? 0 : limit.secondsLeft(ip);
    if (!seconds) return;
    logSecurity({ ip, seconds }, 'sign-in throttled');
    throw new DomainError('rate_limited', `Too many failed sign-ins from this address. Try again in ${seconds} s.`, {
      retryAfter: seconds,
    });
  };

  return {
    async authenticate(request) {
      const { authorization, session, ip } = request;
      if (authorization) {
        const key = hashOf(authorization);
        const actor = cache.get(key);
        if (actor) return actor;
        rejectIfThrottled(key, ip);
        return cache.load(key, async () => (await authenticateHeader(request)).actor);
      }
      if (!session) return assertAuthenticated({ refused: 'missing' }).actor;
      // No header contains a line break, so this key cannot equal that of a token.
      const key = hashOf(`session\n${session}`);
      return (
        cache.get(key) ??
        cache.load(
          key,
          async () => assertAuthenticated(await authenticateSession(services, session), SESSION_ENDED).actor,
        )
      );
    },
    async verifyToken(request) {
      const key = hashOf(request.authorization);
      rejectIfThrottled(key, request.ip);
      const verified = authenticateHeader(request);
      await cache.load(key, async () => (await verified).actor);
      return verified;
    },
  };
}

const hashOf = (credential: string): string => hash('sha256', credential, 'base64');

function assertAuthenticated(result: AuthenticationResult, message: string = INVALID_TOKEN): Authenticated {
  if ('actor' in result) return result;
  throw new DomainError('unauthenticated', result.refused === 'missing' ? MISSING_TOKEN : message);
}

// One message for all three causes, so that a caller cannot probe for tokens.
const INVALID_TOKEN = 'The token is unknown, expired or revoked.';
const SESSION_ENDED = 'The session has ended. Sign in again.';
const MISSING_TOKEN = 'Send a token: Authorization: Bearer pdm_…';
