// Verifies tokens of an identity provider (OpenID Connect): JWTs signed for this service. They are verified with the
// provider's public keys, without a request to the provider for each token.
import { errors, type JWTPayload, jwtVerify } from 'jose';
import type { Role } from '../../core/domain/access/permissions.ts';
import type { Log } from '../../core/platform/log.ts';
import { createKeyLookup, KeysUnavailableError } from './oidc-keys.ts';
import type { OidcIdentity } from './oidc-user-id.ts';

export type OidcSettings = { issuer: string; audience: string; roleClaim: string | null; autocreate: boolean };

/** The identity in a verified token. `role` is null if no role claim is configured. */
export type VerifiedIdentity = OidcIdentity & { name: string; role: Role | null; expiresAt: Date };

export type IdentityProvider = {
  /**
   * Verifies a token. Resolves to `inactive` if it is expired, not for this service, or not verifiable because the keys
   * are unavailable; to `invalid` if it is malformed or its signature is wrong.
   */
  verify(token: string): Promise<VerifiedIdentity | 'invalid' | 'inactive'>;
  /** Whether the first sign-in with an unknown identity creates a user. */
  autocreate: boolean;
};

const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA'];
const TOLERANCE_SECONDS = 30;
const MAX_SUBJECT_LENGTH = 255;

/** Creates the verifier of a provider's tokens. `clock` returns the Unix time in milliseconds. */
export function createIdentityProvider(
  { issuer, audience, roleClaim, autocreate }: OidcSettings,
  log: Log,
  clock: () => number = Date.now,
): IdentityProvider {
  const keys = createKeyLookup(issuer, log, clock);
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
        if (!subject || subject.length > MAX_SUBJECT_LENGTH) return 'invalid';
        const role = roleClaim === null ? null : roleFromClaim(payload, roleClaim);
        return {
          issuer,
          subject,
          name: nameFromClaims(payload),
          role,
          expiresAt: new Date(Number(payload.exp) * 1000),
        };
      } catch (error) {
        return rejectionReason(error);
      }
    },
  };
}

/** Whether a credential has three parts separated by dots, which tokens of this service never have. */
export function looksLikeJwt(credential: string): boolean {
  return credential.split('.').length === 3;
}

// jose checks claims only after the signature, so tokens with wrong claims are genuine.
function rejectionReason(error: unknown): 'invalid' | 'inactive' {
  if (
    error instanceof errors.JWTExpired ||
    error instanceof errors.JWTClaimValidationFailed ||
    error instanceof KeysUnavailableError
  )
    return 'inactive';
  if (error instanceof errors.JOSEError) return 'invalid';
  throw error;
}

const ROLES_BY_RANK: readonly Role[] = ['admin', 'editor', 'viewer', 'worker'];

/**
 * Returns the highest role in a claim, which is a string or an array; `viewer` if it contains none. `claim` is the name
 * of a claim, or a path such as `realm_access.roles`.
 */
export function roleFromClaim(payload: JWTPayload, claim: string): Role {
  const value = Object.hasOwn(payload, claim)
    ? payload[claim]
    : claim.split('.').reduce<unknown>(readProperty, payload);
  const roles = Array.isArray(value) ? value : [value];
  return ROLES_BY_RANK.find((role) => roles.includes(role)) ?? 'viewer';
}

function readProperty(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

function nameFromClaims({ name, preferred_username: username, email, sub }: JWTPayload): string {
  return [name, username, email, sub].map(normalizeName).find(Boolean) ?? 'unnamed';
}

function normalizeName(text: unknown): string {
  if (typeof text !== 'string') return '';
  const plain = text
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}]/gu, '');
  return [...plain].slice(0, 200).join('').trim();
}
