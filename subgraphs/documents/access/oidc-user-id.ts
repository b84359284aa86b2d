// Derives user ids from OpenID Connect identities.
import { createHash } from 'node:crypto';
import { type FieldError, refuse } from '../../core/domain/errors.ts';

export type OidcIdentity = { issuer: string; subject: string };

const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * Returns the id of the user with this identity: 128 bits of a SHA-256 over issuer and subject, in the format of all
 * ids. A derived id makes concurrent first sign-ins find or create the same user.
 */
export function oidcUserId({ issuer, subject }: OidcIdentity): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([issuer, subject]))
    .digest('hex');
  let rest = BigInt(`0x${digest.slice(0, 32)}`);
  let text = '';
  for (let i = 0; i < 26; i++) {
    text = CROCKFORD[Number(rest % 32n)] + text;
    rest /= 32n;
  }
  return `usr_${text}`;
}

/**
 * Returns the identity. Throws `validation_failed` if the issuer is no URL or a part is longer than OpenID Connect
 * allows.
 */
export function validateOidcIdentity({ issuer, subject }: OidcIdentity): OidcIdentity {
  const errors: FieldError[] = [];
  if (!URL.canParse(issuer) || issuer.length > 500)
    errors.push({ path: '/oidc/issuer', message: 'must be a URL of at most 500 characters' });
  if (!subject || subject.length > 255)
    errors.push({ path: '/oidc/subject', message: 'must have 1 to 255 characters' });
  if (errors.length) refuse('validation_failed', 'The OpenID Connect identity is invalid.', { errors });
  return { issuer, subject };
}
