// What is kept of people and of what they sign in with.
import type { Role } from '../../domain/access/permissions.ts';

export type UserRecord = {
  _id: string;
  name: string;
  role: Role;
  /** A disabled user stays, for the records that name it; none of its tokens is good. Absent in older records: not disabled. */
  disabled?: boolean;
  /** Who it is to the identity provider, if it signs in there. */
  oidc?: { issuer: string; subject: string } | null;
  createdAt: Date;
};
export type TokenRecord = {
  _id: string;
  /** The 8 characters after `pdm_`, shown to people. */
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
};
/** Somebody who is signed in from a browser. */
export type SessionRecord = {
  _id: string;
  /** SHA-256 (hex) of the secret in the cookie; the secret itself is never stored. */
  sha256: string;
  userId: string;
  /** The token it began with, and ends with; null: one of the identity provider. */
  tokenId: string | null;
  /** The role that the identity provider gave; null: that of the token and the user, as they are at the time. */
  role: Role | null;
  createdAt: Date;
  /** Deleted by the store some time after this moment. */
  expiresAt: Date;
};
