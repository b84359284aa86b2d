import { expect, test } from 'vitest';
import { type Ability, isRoleWithin, lesserRole, hasAbility, assertAbility, ROLES } from './permissions.ts';

const ABILITIES: Ability[] = ['read', 'edit', 'administer', 'work', 'self'];

test('who may do what: viewers read, editors also write, administrators everything, workers only work', () => {
  const table = ROLES.map((role) => `${role}: ${ABILITIES.filter((ability) => hasAbility(role, ability)).join(' ')}`);
  expect(table).toEqual([
    'viewer: read self',
    'editor: read edit self',
    'admin: read edit administer work self',
    'worker: work',
  ]);
});

test('whoever lacks an ability is refused, as admin_only where only administrators have it', () => {
  for (const role of ROLES)
    for (const ability of ABILITIES) {
      const asked = () => assertAbility({ role }, ability);
      if (hasAbility(role, ability)) expect(asked).not.toThrow();
      else
        expect(asked).toThrow(expect.objectContaining({ code: ability === 'administer' ? 'admin_only' : 'forbidden' }));
    }
});

test('a token never allows more than its user may, nor more than it says itself', () => {
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
