import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { BlockList, isIPv6 } from 'node:net';

/** The HTTP status of an access check; 200 grants access. */
export type AccessStatus = 200 | 401 | 403 | 429 | 503;

export type AccessRequest = { remoteAddress?: string; headers: IncomingHttpHeaders };
/** Returns the role of a token, or null if it is invalid. Throws if the API cannot be reached or rejects the request. */
export type RoleLookup = (authorization: string) => Promise<string | null>;

const CACHE_MILLISECONDS = 5_000;
const MAX_CACHED = 1_000;
const READ_ROLES = ['viewer', 'editor', 'admin'];

/**
 * Returns the access check for status and metrics. Requests from this machine need no token; others need a token with a
 * read role. The role is cached for 5 seconds. While the API is unavailable, tokens that had access keep it, because
 * the metrics are needed most then.
 */
export function createStatusAccess(roleOf: RoleLookup): (request: AccessRequest) => Promise<AccessStatus> {
  const cache = new Map<string, { status: AccessStatus; expiresAt: number }>();
  return async (request) => {
    const { authorization } = request.headers;
    if (!authorization) return isLocalRequest(request) ? 200 : 401;
    const key = hash('sha256', authorization, 'base64');
    const cached = cache.get(key);
    if (cached && cached.expiresAt > Date.now()) return cached.status;
    try {
      const role = await roleOf(authorization);
      const status = statusFor(role);
      if (cache.size >= MAX_CACHED) cache.clear();
      cache.set(key, { status, expiresAt: Date.now() + CACHE_MILLISECONDS });
      return status;
    } catch (error) {
      if (cached?.status === 200) return 200;
      return error instanceof RateLimitError ? 429 : 503;
    }
  };
}

function statusFor(role: string | null): AccessStatus {
  if (role === null) return 401;
  return READ_ROLES.includes(role) ? 200 : 403;
}

class RateLimitError extends Error {}

/** Returns a lookup that reads the role from `GET /me` of the API. */
export function createRoleLookup(apiUrl: string): RoleLookup {
  return async (authorization) => {
    const response = await fetch(`${apiUrl}/me`, {
      headers: { authorization },
      redirect: 'error',
      signal: AbortSignal.timeout(5_000),
    });
    if (response.status === 200) return String(((await response.json()) as { role?: unknown }).role);
    await response.body?.cancel();
    if (response.status === 401) return null;
    if (response.status === 429) throw new RateLimitError('too many invalid tokens');
    throw new Error(`GET /me failed with status ${response.status}`);
  };
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

// Checks the Host header too, against DNS rebinding by a web page in a local browser, and rejects proxied requests.
function isLocalRequest({ remoteAddress = '', headers }: AccessRequest): boolean {
  const { host = '', forwarded, via, 'x-forwarded-for': forwardedFor, 'x-real-ip': realIp } = headers;
  if (forwarded || via || forwardedFor || realIp) return false;
  const hostname = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : '';
  return (
    loopback.check(remoteAddress, isIPv6(remoteAddress) ? 'ipv6' : 'ipv4') &&
    ['127.0.0.1', 'localhost', '[::1]'].includes(hostname)
  );
}
