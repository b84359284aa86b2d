// Roles and what they allow.

import { refuse } from '../errors.ts';

export type Role = 'viewer' | 'editor' | 'admin' | 'worker';
/**
 * What an operation requires: read records, edit them, administer the service, process jobs, or manage the caller's own
 * tokens.
 */
export type Ability = 'read' | 'edit' | 'administer' | 'work' | 'self';

// Administrators can also process jobs, so that one token is enough for a client that does everything.
const ABILITIES: Record<Role, readonly Ability[]> = {
  viewer: ['read', 'self'],
  editor: ['read', 'self', 'edit'],
  admin: ['read', 'self', 'edit', 'administer', 'work'],
  worker: ['work'],
};

export const ROLES = Object.keys(ABILITIES) as Role[];

export function hasAbility(role: Role, ability: Ability): boolean {
  return ABILITIES[role].includes(ability);
}

/** Returns whether the caller is an administrator or the service itself. */
export function isAdministrator({ role }: { role: Role | 'system' }): boolean {
  return role === 'system' || hasAbility(role, 'administer');
}

/** Returns whether a role has no ability that the other lacks: viewer ≤ editor ≤ admin, and worker ≤ admin. */
export function isRoleWithin(role: Role, bound: Role): boolean {
  return ABILITIES[role].every((ability) => hasAbility(bound, ability));
}

/** Returns the lesser of two roles, e.g. of a token and its user. Null if neither is within the other. */
export function lesserRole(one: Role, other: Role): Role | null {
  if (isRoleWithin(one, other)) return one;
  return isRoleWithin(other, one) ? other : null;
}

/** Throws `forbidden`, or `admin_only` for administration, if the role lacks the ability. */
export function assertAbility({ role }: { role: Role }, ability: Ability): void {
  if (hasAbility(role, ability)) return;
  if (ability === 'administer') refuse('admin_only', 'Only administrators can do this.', { role });
  refuse('forbidden', `The role ${role} cannot ${ACTIVITIES[ability]}.`, { role });
}

const ACTIVITIES: Record<Ability, string> = {
  read: 'read documents',
  edit: 'change documents',
  administer: 'administer the service',
  work: 'use the worker routes',
  self: 'manage tokens',
};
