// Starts, finds and ends browser sessions for the /session routes.
import { generateSessionSecret } from '../../subgraphs/core/domain/access/session.ts';
import { inTransaction, type RequestContext, type Services } from '../../subgraphs/core/work.ts';
import { authenticateSession } from '../../subgraphs/documents/access/authenticate.ts';
import { endSession } from '../../subgraphs/documents/access/end-session.ts';
import { SERVICE_ACTOR } from '../../subgraphs/documents/access/issue-token.ts';
import { startSession } from '../../subgraphs/documents/access/start-session.ts';
import type { Authenticator } from './authenticator.ts';
import type { RateLimiter } from './rate-limit.ts';

/** The user and expiry of a session, and whether it was started with the token of the first start. */
export type SessionInfo = {
  user: { id: string; name: string; role: string };
  expiresAt: Date | null;
  setupRequired?: boolean;
};
type RequestInfo = Required<Pick<RequestContext, 'requestId' | 'ip' | 'route'>>;

export type Sessions = {
  /** Returns the user of a session, or null if it has ended. */
  find(secret: string): Promise<SessionInfo | null>;
  /**
   * Signs in with a token and ends the previous session of the browser. Returns the secret for the cookie, its lifetime
   * in seconds and the RateLimit headers. Throws like any request with that token.
   */
  start(
    token: string,
    previousSecret: string | null,
    request: RequestInfo,
  ): Promise<{ secret: string; seconds: number; info: SessionInfo; headers: Record<string, string> }>;
  /** Ends a session if it exists. */
  end(secret: string, request: RequestInfo): Promise<void>;
};

/** Creates the sessions port of the /session routes. */
export function createSessions(services: Services, authenticator: Authenticator, admit: RateLimiter): Sessions {
  return {
    async find(secret) {
      const found = await authenticateSession(services, secret);
      return 'actor' in found ? sessionInfo(found) : null;
    },

    async start(token, previousSecret, request) {
      const {
        actor,
        expiresAt: tokenExpiresAt,
        providerRole,
        setupRequired,
      } = await authenticator.verifyToken({
        authorization: `Bearer ${token}`,
        ip: request.ip,
      });
      const headers = admit(actor);
      const secret = generateSessionSecret();
      const { expiresAt } = await inTransaction(services, { ...request, actor }, startSession, {
        secret,
        previousSecret,
        expiresAt: tokenExpiresAt,
        providerRole,
      });
      const seconds = Math.max(0, Math.floor((expiresAt.getTime() - services.clock().getTime()) / 1000));
      return { secret, seconds, info: sessionInfo({ actor, expiresAt, setupRequired }), headers };
    },

    async end(secret, request) {
      const found = await authenticateSession(services, secret);
      // A session whose token has expired or was revoked is ended by the service itself.
      const actor = 'actor' in found ? found.actor : SERVICE_ACTOR;
      await inTransaction(services, { ...request, actor }, endSession, { secret });
    },
  };
}

function sessionInfo({
  actor: { id, name, role },
  expiresAt,
  setupRequired,
}: {
  actor: { id: string; name: string; role: string };
  expiresAt: Date | null;
  setupRequired?: boolean;
}): SessionInfo {
  return { user: { id, name, role }, expiresAt, ...(setupRequired ? { setupRequired } : {}) };
}
