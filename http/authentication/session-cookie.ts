// Where a browser's session lies, and which requests it speaks for. A cookie goes along with whatever a browser asks, also in the name of a foreign
// page; so it counts only where the browser itself, or a header that no foreign page can send, says that a page of this service asks.
import type { FastifyRequest } from 'fastify';
import { refuse } from '../../subgraphs/core/domain/errors.ts';
import type { Config } from '../../subgraphs/core/platform/config.ts';
import { LOOPBACK } from '../http.ts';
import type { Credentials } from './context.ts';

export type Settings = Pick<Config, 'PDM_PUBLIC_URL' | 'PDM_ALLOW_PLAIN_HTTP'>;
export type Asking = Pick<FastifyRequest, 'method' | 'protocol' | 'host' | 'hostname' | 'ip'> & {
  headers: Pick<FastifyRequest['headers'], 'authorization' | 'cookie' | 'origin'> & {
    'sec-fetch-site'?: string;
    'x-pdm-csrf'?: string;
  };
};

/** What a request shows of who asks. An Authorization header counts before a cookie; a cookie of a request that no page of this service made is refused. */
export function credentialsOf(request: Asking, settings: Settings, { isQuery = false } = {}): Credentials {
  const { headers, method, ip } = request;
  if (headers.authorization) return { authorization: headers.authorization, ip };
  const session = sessionSecretOf(request, settings);
  if (session === null) return { ip };
  if (isQuery || !READS.has(method)) needOwnPage(request, settings);
  else if (comesFromElsewhere(request, settings)) refuseForeign();
  return { session, ip };
}

/** The secret in the cookie of a request; null when it has none. */
export function sessionSecretOf(request: Asking, settings: Settings): string | null {
  const start = `${isSecure(request, settings) ? SECURE_NAME : PLAIN_NAME}=`;
  const found = (request.headers.cookie ?? '').split(';').find((pair) => pair.trim().startsWith(start));
  return found?.trim().slice(start.length) || null;
}

/** Refuses with `cross_site_request` what not surely comes from a page of this service. */
export function needOwnPage(request: Asking, settings: Settings): void {
  const { 'sec-fetch-site': site, 'x-pdm-csrf': mark, origin } = request.headers;
  const own =
    site === undefined
      ? origin !== undefined && ownOrigins(request, settings).includes(origin)
      : site === 'same-origin';
  if (!own || mark !== '1') refuseForeign();
}

/**
 * The Set-Cookie that gives a browser its session for so many seconds; 0 takes it away. Over plain HTTP, where whoever listens can take it, it is given
 * on the machine itself, and elsewhere only where the settings say that this is wanted.
 */
export function setCookie(request: Asking, settings: Settings, secret: string, seconds: number): string {
  const secure = isSecure(request, settings);
  if (!secure && !LOOPBACK.has(request.hostname) && !settings.PDM_ALLOW_PLAIN_HTTP)
    refuse(
      'validation_failed',
      'A browser can sign in over https alone. Open the service by https, and set PDM_PUBLIC_URL to that address.',
    );
  const attributes = `Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict`;
  return secure ? `${SECURE_NAME}=${secret}; ${attributes}; Secure` : `${PLAIN_NAME}=${secret}; ${attributes}`;
}

const READS = new Set(['GET', 'HEAD']);
const SECURE_NAME = '__Host-pdm';
const PLAIN_NAME = 'pdm';

// A link that somebody follows from elsewhere has no Strict cookie anyway. One from the same site can have it, and must not: another port of this
// machine is the same site.
function comesFromElsewhere(request: Asking, settings: Settings): boolean {
  const { 'sec-fetch-site': site, origin } = request.headers;
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  return origin !== undefined && !ownOrigins(request, settings).includes(origin);
}

// A proxy that ends TLS either says so and is trusted, or passes the name under which people reach the service.
function isSecure({ protocol, hostname }: Asking, { PDM_PUBLIC_URL }: Settings): boolean {
  if (protocol === 'https') return true;
  const known = PDM_PUBLIC_URL ? new URL(PDM_PUBLIC_URL) : null;
  return known?.protocol === 'https:' && known.hostname === hostname;
}

function ownOrigins(request: Asking, settings: Settings): string[] {
  const known = settings.PDM_PUBLIC_URL ? [new URL(settings.PDM_PUBLIC_URL).origin] : [];
  return [`${isSecure(request, settings) ? 'https' : 'http'}://${request.host}`, ...known];
}

function refuseForeign(): never {
  return refuse(
    'cross_site_request',
    'With a browser session only a page of this service may ask: from the same origin, and with the header X-PDM-Csrf: 1. Programs send a token: Authorization: Bearer pdm_….',
  );
}
