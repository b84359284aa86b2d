// The user of a request, sealed by the gateway for one subgraph and one body, for 30 seconds:
// base64url(claims).base64url(HMAC-SHA256). The claims contain a hash of the body, so that a subgraph can reject a
// foreign request before it reads the body.
import { createHmac, hash, hkdfSync, timingSafeEqual } from 'node:crypto';
import { DomainError } from '../../subgraphs/core/domain/errors.ts';
import type { RequestContext } from '../../subgraphs/core/work.ts';

export const IDENTITY_HEADER = 'x-pdm-context';

export type Identity = Omit<RequestContext, 'signal'>;
type IdentityClaims = Identity & { aud: string; exp: number; body: string };

const LIFETIME_SECONDS = 30;
const MIN_KEY_BYTES = 32;

/** Derives the sealing key from the installation's secret, so that no two uses of the secret share a key. */
export function identityKey(secret: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', assertKeyLength(secret), '', 'pdm gateway to subgraph', 32));
}

/** Seals an identity for one subgraph (`audience`) and one body. `now` is milliseconds. */
export function sealIdentity(
  key: Buffer,
  { actor, requestId, ip, route, idempotency, expected, currentTagIfStale, ifMatch }: Identity,
  audience: string,
  body: string,
  now: number = Date.now(),
): string {
  const claims: IdentityClaims = {
    actor,
    requestId,
    ip,
    route,
    idempotency,
    expected,
    currentTagIfStale,
    ifMatch,
    aud: audience,
    exp: Math.floor(now / 1000) + LIFETIME_SECONDS,
    body: digest(body),
  };
  const payload = Buffer.from(JSON.stringify(claims)).toString('base64url');
  return `${payload}.${sign(key, payload)}`;
}

/** An opened identity, and whether a body is the one it was sealed for. */
export type OpenedIdentity = Identity & { isFor(body: string): boolean };

/**
 * Opens a sealed identity with any of the keys (two during a rotation). Throws `unauthenticated` if it was changed,
 * expired or is for another subgraph.
 */
export function openIdentity(
  keys: readonly Buffer[],
  sealed: unknown,
  audience: string,
  now: number = Date.now(),
): OpenedIdentity {
  const [payload, signature, ...rest] = typeof sealed === 'string' ? sealed.split('.') : [];
  if (!payload || !signature || rest.length || !keys.some((key) => isEqual(sign(key, payload), signature)))
    throw unauthenticated();
  const { aud, exp, body, ...identity }: IdentityClaims = JSON.parse(Buffer.from(payload, 'base64url').toString());
  if (aud !== audience || exp < now / 1000) throw unauthenticated();
  return { ...identity, isFor: (received) => isEqual(digest(received), body) };
}

/** Returns the SHA-256 of a body as in the claims. */
const digest = (body: string): string => hash('sha256', body, 'base64url');

const sign = (key: Buffer, payload: string): string =>
  createHmac('sha256', assertKeyLength(key)).update(payload).digest('base64url');

function isEqual(expected: string, received: string): boolean {
  const [left, right] = [Buffer.from(expected), Buffer.from(received)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function assertKeyLength(key: Buffer): Buffer {
  if (key.length < MIN_KEY_BYTES)
    throw new Error(`The key between gateway and subgraphs must have ${MIN_KEY_BYTES} bytes, not ${key.length}`);
  return key;
}

const unauthenticated = (): DomainError =>
  new DomainError('unauthenticated', 'Subgraphs accept requests from the gateway only.');
