// Who asks, sealed by the gateway for one subgraph and one body, for 30 seconds: base64url(claims).base64url(HMAC-SHA256).
// The claims hold the hash of the body, so that a subgraph can refuse a stranger before it reads a byte of what he sends.
import { createHmac, hash, hkdfSync, timingSafeEqual } from 'node:crypto';
import { DomainError } from '../../subgraphs/core/domain/errors.ts';
import type { RequestContext } from '../../subgraphs/core/work.ts';

export const IDENTITY_HEADER = 'x-pdm-context';

export type Identity = Omit<RequestContext, 'signal'>;
type Claims = Identity & { aud: string; exp: number; body: string };

const LIFETIME_SECONDS = 30;
const SHORTEST_KEY_BYTES = 32;

/** The key of the gateway's seal, derived from the installation's secret, so that no two uses of the secret share a key. */
export function identityKey(secret: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', strong(secret), '', 'pdm gateway to subgraph', 32));
}

/** Seals an identity for one subgraph (`audience`) and one body. */
export function seal(
  key: Buffer,
  { actor, requestId, ip, route, once, seen, stale, ifMatch }: Identity,
  audience: string,
  body: string,
  now: number = Date.now(),
): string {
  const claims: Claims = {
    actor,
    requestId,
    ip,
    route,
    once,
    seen,
    stale,
    ifMatch,
    aud: audience,
    exp: Math.floor(now / 1000) + LIFETIME_SECONDS,
    body: digest(body),
  };
  const payload = Buffer.from(JSON.stringify(claims)).toString('base64url');
  return `${payload}.${sign(key, payload)}`;
}

/** An opened seal: who asks, and whether a body is the one it was made for. */
export type Opened = Identity & { isFor(body: string): boolean };

/** Opens a seal made with any of the keys (two during a rotation); refuses tampered, expired ones and those for another subgraph as unauthenticated. */
export function open(keys: readonly Buffer[], sealed: unknown, audience: string, now: number = Date.now()): Opened {
  const [payload, signature, ...rest] = typeof sealed === 'string' ? sealed.split('.') : [];
  if (!payload || !signature || rest.length || !keys.some((key) => same(sign(key, payload), signature)))
    throw stranger();
  const { actor, requestId, ip, route, once, seen, stale, ifMatch, aud, exp, body }: Claims = JSON.parse(
    Buffer.from(payload, 'base64url').toString(),
  );
  if (aud !== audience || exp < now / 1000) throw stranger();
  return { actor, requestId, ip, route, once, seen, stale, ifMatch, isFor: (given) => same(digest(given), body) };
}

/** The SHA-256 of a body as the claims hold it. */
const digest = (body: string): string => hash('sha256', body, 'base64url');

const sign = (key: Buffer, payload: string): string =>
  createHmac('sha256', strong(key)).update(payload).digest('base64url');

function same(wanted: string, given: string): boolean {
  const [left, right] = [Buffer.from(wanted), Buffer.from(given)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function strong(key: Buffer): Buffer {
  if (key.length < SHORTEST_KEY_BYTES)
    throw new Error(`The key between gateway and subgraphs needs ${SHORTEST_KEY_BYTES} bytes, not ${key.length}`);
  return key;
}

const stranger = (): DomainError => new DomainError('unauthenticated', 'Only the gateway may ask a subgraph.');
