import { expect, test } from 'vitest';
import { type Ability, assertAbility, hasAbility, isRoleWithin, lesserRole, ROLES } from './permissions.ts';

const ABILITIES: Ability[] = ['read', 'edit', 'administer', 'work', 'self'];

test('lists the abilities of each role', () => {
  const table = ROLES.map((role) => `${role}: ${ABILITIES.filter((ability) => hasAbility(role, ability)).join(' ')}`);
  expect(table).toEqual([
    'viewer: read self',
    'editor: read edit self',
    'admin: read edit administer work self',
    'worker: work',
  ]);
});

test('throws forbidden for a missing ability, and admin_only for administration', () => {
  for (const role of ROLES)
    for (const ability of ABILITIES) {
      const check = () => assertAbility({ role }, ability);
      if (hasAbility(role, ability)) expect(check).not.toThrow();
      else
        expect(check).toThrow(expect.objectContaining({ code: ability === 'administer' ? 'admin_only' : 'forbidden' }));
    }
});

test('limits a token to the abilities of its own role and of its user', () => {
  for (const one of ROLES)
    for (const other of ROLES) {
      const role = lesserRole(one, other);
      expect(role).toBe(lesserRole(other, one));
      if (role)
        for (const ability of ABILITIES)
          expect(hasAbility(role, ability)).toBe(hasAbility(one, ability) && hasAbility(other, ability));
      else expect([one, other]).toContain('worker');
    }
  expect(ROLES.filter((role) => isRoleWithin(role, 'editor'))).toEqual(['viewer', 'editor']);
});
