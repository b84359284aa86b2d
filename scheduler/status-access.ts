import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { BlockList, isIPv6 } from 'node:net';

/** How a request is answered: let in, or refused with that status. */
export type Admission = 200 | 401 | 403 | 429 | 503;

export type Asking = { remoteAddress?: string; headers: IncomingHttpHeaders };
/** The role of a token, null when it is none; throws when nobody answers. */
export type RoleOf = (authorization: string) => Promise<string | null>;

const FRESH_MS = 5_000;
const MOST_REMEMBERED = 1_000;
const READERS = ['viewer', 'editor', 'admin'];

/**
 * Who may see status and metrics: whoever asks on this machine itself, and from elsewhere a token that may read. It is shown to the API, and what
 * the API says holds for 5 seconds; while the API is away, whoever was let in before still is, for then the figures are needed most.
 */
export function statusAccess(roleOf: RoleOf): (asking: Asking) => Promise<Admission> {
  const known = new Map<string, { admission: Admission; until: number }>();
  return async (asking) => {
    const { authorization } = asking.headers;
    if (!authorization) return isThisMachine(asking) ? 200 : 401;
    const key = hash('sha256', authorization, 'base64');
    const before = known.get(key);
    if (before && before.until > Date.now()) return before.admission;
    try {
      const role = await roleOf(authorization);
      const admission = role === null ? 401 : READERS.includes(role) ? 200 : 403;
      if (known.size >= MOST_REMEMBERED) known.clear();
      known.set(key, { admission, until: Date.now() + FRESH_MS });
      return admission;
    } catch (error) {
      if (before?.admission === 200) return 200;
      return error instanceof TooMany ? 429 : 503;
    }
  };
}

class TooMany extends Error {}

/** Asks the API whose token it is. */
export function askApi(apiUrl: string): RoleOf {
  return async (authorization) => {
    const answer = await fetch(`${apiUrl}/me`, {
      headers: { authorization },
      redirect: 'error',
      signal: AbortSignal.timeout(5_000),
    });
    if (answer.status === 200) return String(((await answer.json()) as { role?: unknown }).role);
    await answer.body?.cancel();
    if (answer.status === 401) return null;
    throw answer.status === 429 ? new TooMany('Too many wrong tokens') : new Error(`The API answered ${answer.status}`);
  };
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

// By its name too, or a page in a browser here could read it under a name that leads here; and not through a proxy.
function isThisMachine({ remoteAddress = '', headers }: Asking): boolean {
  const { host = '', forwarded, via, 'x-forwarded-for': forwardedFor, 'x-real-ip': realIp } = headers;
  if (forwarded || via || forwardedFor || realIp) return false;
  const named = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : '';
  return (
    loopback.check(remoteAddress, isIPv6(remoteAddress) ? 'ipv6' : 'ipv4') &&
    ['127.0.0.1', 'localhost', '[::1]'].includes(named)
  );
}
