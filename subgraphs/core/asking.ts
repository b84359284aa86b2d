import type { Actor } from './domain/access/actor.ts';
import { type Ability, permit } from './domain/access/permissions.ts';
import { type Permission, permitted } from './domain/access/permitted.ts';
import type { Scope } from './store/query/scope.ts';

/**
 * Who wants to do something, when, and where to look; the work of a command is one. `named` is a cheaper way to the names of users, if there is one.
 */
export type Asking = Scope & { actor: Actor; now: Date; named?(userId: string): Promise<{ id: string; name: string }> };

/** Whether the actor may do what needs this ability and is decided by this rule, the one that the command itself obeys. */
export function permission(by: Asking, needs: Ability, rule: () => unknown): Promise<Permission> {
  return permitted(() => {
    if (by.actor.role !== 'system') permit({ role: by.actor.role }, needs);
    return rule();
  });
}
