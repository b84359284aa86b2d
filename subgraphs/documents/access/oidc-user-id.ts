import { createHash } from 'node:crypto';
import { refuse } from '../../core/domain/errors.ts';

export type OidcIdentity = { issuer: string; subject: string };

const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * The id of the user that an identity provider knows as this subject: made of both, so that a first sign-in finds or makes it by its
 * id alone. 128 bits of SHA-256 in the form of every other id.
 */
export function oidcUserId({ issuer, subject }: OidcIdentity): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([issuer, subject]))
    .digest();
  let rest = BigInt(`0x${digest.subarray(0, 16).toString('hex')}`);
  let text = '';
  for (let i = 0; i < 26; i++) {
    text = CROCKFORD[Number(rest % 32n)] + text;
    rest /= 32n;
  }
  return `usr_${text}`;
}

/** Refuses an identity whose parts are empty or longer than OpenID Connect allows. */
export function checkedOidcIdentity({ issuer, subject }: OidcIdentity): OidcIdentity {
  const faults = [
    ...(URL.canParse(issuer) && issuer.length <= 500
      ? []
      : [{ path: '/oidc/issuer', message: 'must be the address of the issuer' }]),
    ...(subject && subject.length <= 255 ? [] : [{ path: '/oidc/subject', message: 'must have 1 to 255 characters' }]),
  ];
  if (faults.length) refuse('validation_failed', 'The identity is not complete.', { errors: faults });
  return { issuer, subject };
}
