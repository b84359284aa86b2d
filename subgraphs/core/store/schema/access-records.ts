// Records of users, tokens and sessions.
import type { Role } from '../../domain/access/permissions.ts';

export type UserRecord = {
  _id: string;
  name: string;
  role: Role;
  /**
   * A disabled user remains, because records refer to it; its tokens are invalid. Absent in older records: not
   * disabled.
   */
  disabled?: boolean;
  /** The user's identity at the identity provider, if it signs in there. */
  oidc?: { issuer: string; subject: string } | null;
  createdAt: Date;
};
export type TokenRecord = {
  _id: string;
  /** The 8 characters after `pdm_`, which are not secret. */
  prefix: string;
  /** SHA-256 (hex) of the whole token; the token itself is never stored. */
  sha256: string;
  userId: string;
  role: Role;
  name: string;
  createdAt: Date;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
  /** The token of the first start: it is revoked when the first administrator has been set up. */
  firstStart?: true;
};
/** A browser session of a signed-in user. */
export type SessionRecord = {
  _id: string;
  /** SHA-256 (hex) of the secret in the cookie; the secret itself is never stored. */
  sha256: string;
  userId: string;
  /** The token that was used to sign in; the session ends with it. Null: signed in with the identity provider. */
  tokenId: string | null;
  /** The role from the identity provider; null: the current role of the token and the user. */
  role: Role | null;
  createdAt: Date;
  /** Deleted by the store some time after this moment. */
  expiresAt: Date;
};
