import type { Actor } from './domain/access/actor.ts';
import { type Ability, assertAbility } from './domain/access/permissions.ts';
import { type Permission, checkPermission } from './domain/access/check-permission.ts';
import type { Scope } from './store/query/scope.ts';

/**
 * Who wants to do something, when, and where to look; the work of a command is one. `named` is a cheaper way to the names of users, if there is one.
 */
export type Asking = Scope & { actor: Actor; now: Date; named?(userId: string): Promise<{ id: string; name: string }> };

/** Whether the actor may do what needs this ability and is decided by this rule, the one that the command itself obeys. */
export function permission(by: Asking, needs: Ability, rule: () => unknown): Promise<Permission> {
  return checkPermission(() => {
    if (by.actor.role !== 'system') assertAbility({ role: by.actor.role }, needs);
    return rule();
  });
}
