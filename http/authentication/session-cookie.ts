// The cookie of a browser session and its protection against cross-site requests. A browser sends a cookie with every
// request, also one that a foreign page makes; it counts only if the browser, or a header that no foreign page can
// send, confirms that the page is ours.
import type { FastifyRequest } from 'fastify';
import { refuse } from '../../subgraphs/core/domain/errors.ts';
import type { Config } from '../../subgraphs/core/platform/config.ts';
import { LOOPBACK_HOSTS } from '../http.ts';
import type { Credentials } from './authenticator.ts';

export type SessionSettings = Pick<Config, 'PDM_PUBLIC_URL' | 'PDM_ALLOW_PLAIN_HTTP'>;
export type SessionRequest = Pick<FastifyRequest, 'method' | 'protocol' | 'host' | 'hostname' | 'ip'> & {
  headers: Pick<FastifyRequest['headers'], 'authorization' | 'cookie' | 'origin'> & {
    'sec-fetch-site'?: string;
    'x-pdm-csrf'?: string;
  };
};

/**
 * Returns the credentials of a request. An Authorization header takes precedence over the cookie. Throws
 * `cross_site_request` for a cookie that came from a foreign page.
 */
export function readCredentials(
  request: SessionRequest,
  settings: SessionSettings,
  { isQuery = false } = {},
): Credentials {
  const { headers, method, ip } = request;
  if (headers.authorization) return { authorization: headers.authorization, ip };
  const session = readSessionSecret(request, settings);
  if (session === null) return { ip };
  if (isQuery || !SAFE_METHODS.has(method)) assertOwnPage(request, settings);
  else if (isCrossSite(request, settings)) rejectCrossSite();
  return { session, ip };
}

/** Returns the secret in the cookie of a request, or null. */
export function readSessionSecret(request: SessionRequest, settings: SessionSettings): string | null {
  const start = `${isSecure(request, settings) ? SECURE_NAME : PLAIN_NAME}=`;
  const found = (request.headers.cookie ?? '').split(';').find((pair) => pair.trim().startsWith(start));
  return found?.trim().slice(start.length) || null;
}

/** Throws `cross_site_request` unless the request provably comes from a page of this service. */
export function assertOwnPage(request: SessionRequest, settings: SessionSettings): void {
  const { 'sec-fetch-site': site, 'x-pdm-csrf': csrf, origin } = request.headers;
  const own =
    site === undefined
      ? origin !== undefined && ownOrigins(request, settings).includes(origin)
      : site === 'same-origin';
  if (!own || csrf !== '1') rejectCrossSite();
}

/**
 * Returns the Set-Cookie header of a session of `seconds`; 0 deletes the cookie. Throws `validation_failed` over plain
 * HTTP, which can be intercepted, unless the client is on this machine or the settings allow it.
 */
export function sessionCookie(
  request: SessionRequest,
  settings: SessionSettings,
  secret: string,
  seconds: number,
): string {
  const secure = isSecure(request, settings);
  if (!secure && !LOOPBACK_HOSTS.has(request.hostname) && !settings.PDM_ALLOW_PLAIN_HTTP)
    refuse(
      'validation_failed',
      'Browser sign-in requires https. Open the service over https and set PDM_PUBLIC_URL to that address.',
    );
  const attributes = `Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict`;
  return secure ? `${SECURE_NAME}=${secret}; ${attributes}; Secure` : `${PLAIN_NAME}=${secret}; ${attributes}`;
}

const SAFE_METHODS = new Set(['GET', 'HEAD']);
const SECURE_NAME = '__Host-pdm';
const PLAIN_NAME = 'pdm';

// Links from other sites carry no Strict cookie. Another port of this machine is the same site and does, so it is
// rejected here.
function isCrossSite(request: SessionRequest, settings: SessionSettings): boolean {
  const { 'sec-fetch-site': site, origin } = request.headers;
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  return origin !== undefined && !ownOrigins(request, settings).includes(origin);
}

// A trusted proxy that ends TLS reports it; any other proxy at least passes the public host name.
function isSecure({ protocol, hostname }: SessionRequest, { PDM_PUBLIC_URL }: SessionSettings): boolean {
  if (protocol === 'https') return true;
  const publicUrl = PDM_PUBLIC_URL ? new URL(PDM_PUBLIC_URL) : null;
  return publicUrl?.protocol === 'https:' && publicUrl.hostname === hostname;
}

function ownOrigins(request: SessionRequest, settings: SessionSettings): string[] {
  const publicOrigins = settings.PDM_PUBLIC_URL ? [new URL(settings.PDM_PUBLIC_URL).origin] : [];
  return [`${isSecure(request, settings) ? 'https' : 'http'}://${request.host}`, ...publicOrigins];
}

function rejectCrossSite(): never {
  return refuse(
    'cross_site_request',
    'A browser session accepts requests only from pages of this service: same origin, with the header X-PDM-Csrf: 1. Programs send a token instead: Authorization: Bearer pdm_….',
  );
}
