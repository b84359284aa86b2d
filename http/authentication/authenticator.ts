// Authenticates the requests of this process, and slows down addresses that send wrong credentials.
import { hash } from 'node:crypto';
import type { Actor } from '../../subgraphs/core/domain/access/actor.ts';
import { tokenPrefix } from '../../subgraphs/core/domain/access/token.ts';
import { DomainError } from '../../subgraphs/core/domain/errors.ts';
import { sleep } from '../../subgraphs/core/platform/sleep.ts';
import type { Services } from '../../subgraphs/core/work.ts';
import {
  type Authenticated,
  type AuthenticationResult,
  authenticate,
  authenticateSession,
} from '../../subgraphs/documents/access/authenticate.ts';
import { credentialCache } from '../../subgraphs/documents/access/credential-cache.ts';
import type { IdentityProvider } from '../../subgraphs/documents/access/oidc.ts';
import { createSlots } from '../admission/admission.ts';
import { networkPrefixOf } from '../request/network-prefix.ts';
import { createRefusedSignIns, type RefusedSignIns } from './refused-sign-ins.ts';
import { createSecurityLog } from './security-log.ts';
import { createSignInDelay } from './sign-in-delay.ts';

/** The credentials of a request: an Authorization header, or the secret of a browser session. */
export type Credentials = { authorization?: string; session?: string; ip: string };

export type Authenticator = {
  /**
   * Returns the user. Valid credentials are cached for 5 seconds, under their hash. Throws `unauthenticated`; after 10
   * wrong tokens from one address within a minute a second later. A valid credential never waits for that.
   */
  authenticate(request: Credentials): Promise<Actor>;
  /** Authenticates a token for a new session: bypasses the cache and also returns the expiry. */
  verifyToken(request: { authorization: string; ip: string }): Promise<Authenticated>;
  /** Returns the credentials that this process refused, the latest first. */
  refusedSignIns(): RefusedSignIns[];
};

/** Creates the authenticator of this process. */
export function createAuthenticator(services: Services, provider: IdentityProvider | null = null): Authenticator {
  const cache = credentialCache(services);
  const { guard } = services.mongo.storeWatch;
  const recordFailure = createSignInDelay();
  // So that a flood of wrong tokens does not fill the connections to the store. Nothing is rejected.
  const takeLookupSlot = createSlots({ slots: 16, slotsPerCaller: 8, maxWaitMs: Number.POSITIVE_INFINITY });
  let delayed = 0;
  const logSecurity = createSecurityLog(services.log);
  const refusedSignIns = createRefusedSignIns(services.clock);

  const authenticateHeader = async ({ authorization, ip }: Credentials, isKnown: boolean): Promise<Authenticated> => {
    const prefix = tokenPrefix(authorization?.split(' ').at(-1) ?? '');
    const release = prefix === null || isKnown ? null : await takeLookupSlot(networkPrefixOf(ip));
    const result = await authenticate(services, authorization, provider).finally(() => release?.());
    if ('refused' in result && result.refused !== 'missing') {
      logSecurity({ ip, token: prefix, why: result.refused }, 'sign-in refused');
      refusedSignIns.add({ ip, token: prefix, reason: result.refused });
    }
    if ('refused' in result && result.refused === 'invalid') await delayFailure(recordFailure(ip));
    return assertAuthenticated(result);
  };

  const delayFailure = async (milliseconds: number): Promise<void> => {
    if (!milliseconds || delayed >= MAX_DELAYED) return;
    delayed += 1;
    await sleep(milliseconds).finally(() => {
      delayed -= 1;
    });
  };

  return {
    refusedSignIns: refusedSignIns.list,
    async authenticate(request) {
      const { authorization, session } = request;
      if (authorization) {
        const key = hashOf(authorization);
        const actor = cache.get(key);
        if (actor) return actor;
        const isKnown = cache.wasValid(key);
        return guard(cache.load(key, async () => (await authenticateHeader(request, isKnown)).actor));
      }
      if (!session) return assertAuthenticated({ refused: 'missing' }).actor;
      // No header contains a line break, so this key cannot equal that of a token.
      const key = hashOf(`session\n${session}`);
      return (
        cache.get(key) ??
        guard(
          cache.load(
            key,
            async () => assertAuthenticated(await authenticateSession(services, session), SESSION_ENDED).actor,
          ),
        )
      );
    },
    async verifyToken(request) {
      const key = hashOf(request.authorization);
      const verified = authenticateHeader(request, cache.wasValid(key));
      await guard(cache.load(key, async () => (await verified).actor));
      return verified;
    },
  };
}

// Each holds a connection of its client. More are answered at once: tokens are too long to guess.
const MAX_DELAYED = 1_000;

const hashOf = (credential: string): string => hash('sha256', credential, 'base64');

function assertAuthenticated(result: AuthenticationResult, message: string = INVALID_TOKEN): Authenticated {
  if ('actor' in result) return result;
  throw new DomainError('unauthenticated', result.refused === 'missing' ? MISSING_TOKEN : message);
}

// One message for all three causes, so that a caller cannot probe for tokens.
const INVALID_TOKEN = 'The token is unknown, expired or revoked.';
const SESSION_ENDED = 'The session has ended. Sign in again.';
const MISSING_TOKEN = 'Send a token: Authorization: Bearer pdm_…';
