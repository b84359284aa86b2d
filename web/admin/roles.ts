// The roles of users.
import type { CreateUserMutationVariables } from '../generated/operations.ts';

export type Role = NonNullable<CreateUserMutationVariables['role']>;

/** All roles, the most common one first. */
export const ROLES: readonly Role[] = ['editor', 'viewer', 'admin', 'worker'];

const DESCRIPTIONS: Record<Role, string> = {
  editor: 'Editor: can read and change documents',
  viewer: 'Viewer: can read everything',
  admin: 'Administrator: full access',
  worker: 'Worker: a program that processes jobs',
};

export const parseRole = (text: string | undefined): Role | undefined => ROLES.find((role) => role === text);

/** Returns the label of a role with a short description. */
export const describeRole = (text: string): string => {
  const role = parseRole(text);
  return role ? DESCRIPTIONS[role] : text;
};
