import type { CreateUserMutationVariables } from '../generated/operations.ts';

export type Role = NonNullable<CreateUserMutationVariables['role']>;

/** The roles a user can have, the usual one first. */
export const ROLES: readonly Role[] = ['editor', 'viewer', 'admin', 'worker'];

const WORDS: Record<Role, string> = {
  editor: 'an editor: reads and changes documents',
  viewer: 'a viewer: reads everything, changes nothing',
  admin: 'an administrator: may do everything',
  worker: 'a worker: a program that takes jobs',
};

export const roleOf = (text: string | undefined): Role | undefined => ROLES.find((role) => role === text);

/** What a role is, as part of a sentence. */
export const roleWords = (text: string): string => {
  const role = roleOf(text);
  return role ? WORDS[role] : text;
};
