// Evaluates whether a user may do something, for the `permissions` fields of the API.
import type { Actor } from './domain/access/actor.ts';
import { checkPermission, type Permission } from './domain/access/check-permission.ts';
import { type Ability, assertAbility } from './domain/access/permissions.ts';
import type { Scope } from './store/query/scope.ts';

/**
 * The actor, the time, and the scope in which records are read, e.g. the `Work` of a command. `named` looks up user
 * names, e.g. through a loader.
 */
export type Caller = Scope & { actor: Actor; now: Date; named?(userId: string): Promise<{ id: string; name: string }> };

/**
 * Returns whether the actor has this ability and `rule`, the assertion that the command itself makes, does not throw.
 */
export function permissionFor(caller: Caller, needs: Ability, rule: () => unknown): Promise<Permission> {
  return checkPermission(() => {
    if (caller.actor.role !== 'system') assertAbility({ role: caller.actor.role }, needs);
    return rule();
  });
}
