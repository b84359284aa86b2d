// Tokens of an identity provider (OpenID Connect): JWTs that it signed for this service. The service asks nobody about a token; it
// checks the signature with the provider's public keys.
import { errors, type JWTPayload, jwtVerify } from 'jose';
import type { Role } from '../../core/domain/access/permissions.ts';
import type { Log } from '../../core/platform/log.ts';
import { issuerKeys, KeysUnreadable } from './oidc-keys.ts';
import type { OidcIdentity } from './oidc-user-id.ts';

export type OidcSettings = { issuer: string; audience: string; roleClaim: string | null; autocreate: boolean };

/** Who a token speaks for, and until when; `role` is null when roles are not the provider's business. */
export type VerifiedIdentity = OidcIdentity & { name: string; role: Role | null; expiresAt: Date };

export type IdentityProvider = {
  /** The identity in a token; `ended` for a genuine one that is expired or not for us, or that cannot be checked now; `wrong` for all others. */
  verify(token: string): Promise<VerifiedIdentity | 'wrong' | 'ended'>;
  /** Whether somebody who comes for the first time becomes a user. */
  autocreate: boolean;
};

const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA'];
const TOLERANCE_SECONDS = 30;
const LONGEST_SUBJECT = 255;

/** Makes the checker of a provider's tokens. `clock` is milliseconds since 1970. */
export function identityProvider(
  { issuer, audience, roleClaim, autocreate }: OidcSettings,
  log: Log,
  clock: () => number = Date.now,
): IdentityProvider {
  const keys = issuerKeys(issuer, log, clock);
  return {
    autocreate,
    async verify(token) {
      try {
        const { payload } = await jwtVerify(token, keys, {
          issuer,
          audience,
          algorithms: ALGORITHMS,
          requiredClaims: ['exp', 'sub'],
          clockTolerance: TOLERANCE_SECONDS,
          currentDate: new Date(clock()),
        });
        const subject = payload.sub ?? '';
        if (!subject || subject.length > LONGEST_SUBJECT) return 'wrong';
        const role = roleClaim === null ? null : roleIn(payload, roleClaim);
        return { issuer, subject, name: nameIn(payload), role, expiresAt: new Date(Number(payload.exp) * 1000) };
      } catch (error) {
        return refusalOf(error);
      }
    },
  };
}

/** Three parts joined by dots: no token of our own. */
export function looksLikeJwt(credential: string): boolean {
  return credential.split('.').length === 3;
}

// the claims are looked at only when the signature is good, so that these two are no guesses
function refusalOf(error: unknown): 'wrong' | 'ended' {
  if (
    error instanceof errors.JWTExpired ||
    error instanceof errors.JWTClaimValidationFailed ||
    error instanceof KeysUnreadable
  )
    return 'ended';
  if (error instanceof errors.JOSEError) return 'wrong';
  throw error;
}

const HIGHEST_FIRST: readonly Role[] = ['admin', 'editor', 'viewer', 'worker'];

/** The highest role that a claim names, as a text or a list of texts; viewer when it names none. */
export function roleIn(payload: JWTPayload, claim: string): Role {
  const value = Object.hasOwn(payload, claim) ? payload[claim] : claim.split('.').reduce<unknown>(step, payload);
  const named = Array.isArray(value) ? value : [value];
  return HIGHEST_FIRST.find((role) => named.includes(role)) ?? 'viewer';
}

// `realm_access.roles` is a claim within a claim, unless a claim has just this name
function step(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

function nameIn({ name, preferred_username: username, email, sub }: JWTPayload): string {
  const shown = [name, username, email, sub].map(asName).find(Boolean);
  return shown ?? 'unnamed';
}

function asName(text: unknown): string {
  if (typeof text !== 'string') return '';
  const plain = text
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}]/gu, '');
  return [...plain].slice(0, 200).join('').trim();
}
