import fc from 'fast-check';
import { expect, test } from 'vitest';
import { validateAsmJson } from '../../subgraphs/core/domain/assembly/asm-json.ts';
import { IDENTITY_ROWS } from '../../subgraphs/core/domain/measure/entity.ts';
import { lineChanges, mergeStructures } from './merge.ts';
import { withPosition } from './placement.ts';
import {
  addComponent,
  componentsOf,
  EMPTY_STRUCTURE,
  moveComponent,
  placeInstance,
  removeComponent,
  removeInstance,
  type Structure,
  setLocation,
  setQuantity,
} from './structure.ts';

const part = (name: string) => ({ name, kind: 'model', location: `pdm://documents/${name}` });
const BASE = [part('A'), part('B'), part('C')].reduce(addComponent, EMPTY_STRUCTURE);
const quantities = (structure: Structure) =>
  componentsOf(structure).map(({ ident, instances }) => `${ident} ${instances.length}`);
const texts = (from: Structure, to: Structure) =>
  lineChanges(from, to).map(({ component, text }) => `${component}: ${text}`);

test('describes changes line by line', () => {
  const moved = placeInstance(setQuantity(BASE, 'A', 2), 'A_1', withPosition(IDENTITY_ROWS, [1, 0, 0]));
  const changed = addComponent(removeComponent(setLocation(moved, 'B', 'pdm://documents/B@v2'), 'C'), part('D'));
  expect(texts(BASE, changed)).toEqual([
    'A: quantity 1 → 2',
    'A: A_1 moved',
    'B: version newest → v2',
    'D: added, quantity 1',
    'C: removed',
  ]);
  expect(texts(BASE, moveComponent(BASE, 'C', 1))).toEqual(['C: find number 3 → 2', 'B: find number 2 → 3']);
  expect(texts(BASE, BASE)).toEqual([]);
});

test('applies my changes to theirs, and mine win on the same line', () => {
  const theirs = setQuantity(setLocation(BASE, 'A', 'pdm://documents/A@A'), 'B', 3);
  const mine = removeComponent(setLocation(setQuantity(BASE, 'A', 2), 'A', 'pdm://documents/A@B'), 'C');
  const merged = mergeStructures(BASE, mine, theirs);
  expect(quantities(merged)).toEqual(['A 2', 'B 3']);
  expect(componentsOf(merged)[0]?.location).toBe('pdm://documents/A@B');
});

test('keeps both components that were added under the same name', () => {
  const merged = mergeStructures(
    BASE,
    addComponent(BASE, part('D')),
    setQuantity(addComponent(BASE, part('D')), 'D', 2),
  );
  expect(quantities(merged)).toEqual(['A 1', 'B 1', 'C 1', 'D 2', 'D-2 1']);
  expect(validateAsmJson(merged, 'stored')).toHaveProperty('asm');
});

test('restores a component that they removed and I placed again', () => {
  const merged = mergeStructures(BASE, setQuantity(BASE, 'B', 2), removeComponent(BASE, 'B'));
  expect(quantities(merged)).toEqual(['A 1', 'C 1', 'B 1']);
});

const changes = fc.array(
  fc
    .tuple(fc.nat(5), fc.constantFrom('A', 'B', 'C', 'D', 'E'), fc.nat(4))
    .map(([what, name, count]) => (structure: Structure) => {
      if (what === 0) return addComponent(structure, part(name));
      if (!structure.templates.some(({ ident }) => ident === name)) return structure;
      if (what === 1) return removeComponent(structure, name);
      if (what === 2) return setQuantity(structure, name, count + 1);
      if (what === 3) return moveComponent(structure, name, count);
      if (what === 4) return placeInstance(structure, `${name}_1`, withPosition(IDENTITY_ROWS, [count, 0, 0]));
      return removeInstance(structure, `${name}_${count}`);
    }),
  { maxLength: 8 },
);
const applied = (all: readonly ((structure: Structure) => Structure)[]) =>
  all.reduce((structure, change) => change(structure), BASE);

test('returns the one side if the other did not change, and always a valid structure', () => {
  fc.assert(
    fc.property(changes, changes, (my, their) => {
      const [mine, theirs] = [applied(my), applied(their)];
      expect(mergeStructures(BASE, mine, BASE)).toEqual(mine);
      expect(mergeStructures(BASE, BASE, theirs)).toEqual(theirs);
      expect(validateAsmJson(mergeStructures(BASE, mine, theirs), 'stored')).toHaveProperty('asm');
    }),
  );
});
