import { generateSessionSecret } from '../../subgraphs/core/domain/access/session.ts';
import { inTransaction, type RequestContext, type Services } from '../../subgraphs/core/work.ts';
import { authenticateSession } from '../../subgraphs/documents/access/authenticate.ts';
import { endSession } from '../../subgraphs/documents/access/end-session.ts';
import { SERVICE_ACTOR } from '../../subgraphs/documents/access/issue-token.ts';
import { startSession } from '../../subgraphs/documents/access/start-session.ts';
import type { Door } from './context.ts';
import type { Admit } from './rate-limit.ts';

/** Who is signed in, until when. */
export type SignedIn = { user: { id: string; name: string; role: string }; expiresAt: Date | null };
type Asked = Required<Pick<RequestContext, 'requestId' | 'ip' | 'route'>>;

export type Sessions = {
  /** Whose session this is; null when it has ended. */
  who(secret: string): Promise<SignedIn | null>;
  /**
   * Signs in with a token, and ends the session that the browser had (`earlier`). Answers with the secret for its cookie, the seconds it is good for,
   * and the headers that tell what may still be asked. Refuses a wrong token as every request with one is refused.
   */
  start(
    token: string,
    earlier: string | null,
    asked: Asked,
  ): Promise<{ secret: string; seconds: number; signedIn: SignedIn; headers: Record<string, string> }>;
  /** Ends a session, if there still is one. */
  end(secret: string, asked: Asked): Promise<void>;
};

/** The sessions of browsers, for the routes that begin and end them. */
export function sessionsOf(services: Services, door: Door, admit: Admit): Sessions {
  return {
    async who(secret) {
      const found = await authenticateSession(services, secret);
      return 'actor' in found ? signedIn(found) : null;
    },

    async start(token, earlier, asked) {
      const {
        actor,
        expiresAt: until,
        providerRole,
      } = await door.check({ authorization: `Bearer ${token}`, ip: asked.ip });
      const headers = admit(actor);
      const secret = generateSessionSecret();
      const { expiresAt } = await inTransaction(services, { ...asked, actor }, startSession, {
        secret,
        earlier,
        expiresAt: until,
        providerRole,
      });
      const seconds = Math.max(0, Math.floor((expiresAt.getTime() - services.clock().getTime()) / 1000));
      return { secret, seconds, signedIn: signedIn({ actor, expiresAt }), headers };
    },

    async end(secret, asked) {
      const found = await authenticateSession(services, secret);
      // what ended with its token is put away by the service itself
      await inTransaction(services, { ...asked, actor: 'actor' in found ? found.actor : SERVICE_ACTOR }, endSession, {
        secret,
      });
    },
  };
}

function signedIn({
  actor: { id, name, role },
  expiresAt,
}: {
  actor: { id: string; name: string; role: string };
  expiresAt: Date | null;
}): SignedIn {
  return { user: { id, name, role }, expiresAt };
}
