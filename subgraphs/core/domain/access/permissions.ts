import { refuse } from '../errors.ts';

export type Role = 'viewer' | 'editor' | 'admin' | 'worker';
/** What an operation asks for: read records, edit them, administer the service, work on jobs, or look after one's own tokens. */
export type Ability = 'read' | 'edit' | 'administer' | 'work' | 'self';

// The one table of roles. An administrator may work on jobs too, so that a client with one token can do everything.
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

/** Whether a role can do nothing that the other cannot: viewer ≤ editor ≤ admin, and worker ≤ admin. */
export function isRoleWithin(role: Role, bound: Role): boolean {
  return ABILITIES[role].every((ability) => hasAbility(bound, ability));
}

/** What a token of one role may do in the hands of a user of another: the lesser of the two; null when neither is within the other. */
export function lesserRole(one: Role, other: Role): Role | null {
  return isRoleWithin(one, other) ? one : isRoleWithin(other, one) ? other : null;
}

/** Refuses with `forbidden` (or `admin_only`) when the role lacks the ability. */
export function assertAbility(actor: { role: Role }, ability: Ability): void {
  if (hasAbility(actor.role, ability)) return;
  if (ability === 'administer') refuse('admin_only', 'Only an administrator may do this.', { role: actor.role });
  refuse('forbidden', `A token with the role ${actor.role} may not ${DEED[ability]}.`, { role: actor.role });
}

const DEED: Record<Ability, string> = {
  read: 'read documents',
  edit: 'change documents',
  administer: 'administer the service',
  work: 'use the worker routes',
  self: 'look after tokens',
};
