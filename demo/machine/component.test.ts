// The figures that the demo promises, and its structure; modeling is tested in write-step.test.ts.
import { expect, test } from 'vitest';
import { type Assembly, componentsOf, levelsOf, quantityOf } from './component.ts';
import { conveyor } from './conveyor.ts';
import type { Placement } from './placement.ts';

const components = componentsOf(conveyor);
const parts = components.filter((component) => component.kind === 'model');
const assemblies = components.filter((component) => component.kind === 'assembly');

test('has at least 80 parts and three levels of assemblies', () => {
  expect(parts.length).toBeGreaterThanOrEqual(80);
  expect(levelsOf(conveyor)).toBeGreaterThanOrEqual(3);
  expect(quantityOf(conveyor)).toBeGreaterThan(parts.length);
});

test('gives each component a name and a description of its own', () => {
  expect(new Set(components.map(({ name }) => name)).size).toBe(components.length);
  expect(components.filter(({ description }) => description === '')).toEqual([]);
});

test('lists each component once, and what an assembly uses before the assembly', () => {
  expect(new Set(components).size).toBe(components.length);
  for (const [i, component] of components.entries())
    if (component.kind === 'assembly')
      for (const use of component.uses) expect(components.indexOf(use.component)).toBeLessThan(i);
  expect(components.at(-1)).toBe(conveyor);
});

test('uses fasteners in several assemblies', () => {
  const usersOf = (name: string) =>
    assemblies.filter(({ uses }: Assembly) => uses.some((use) => use.component.name === name)).length;
  expect(usersOf('Washer ISO 7089 8')).toBeGreaterThanOrEqual(4);
  expect(usersOf('Hexagon head screw ISO 4017 M8x20')).toBeGreaterThanOrEqual(4);
});

test('places components without scaling or mirroring them', () => {
  const placements = assemblies.flatMap(({ uses }) => uses.flatMap((use) => use.placements));
  for (const placement of placements) expect(determinant(placement)).toBeCloseTo(1, 9);
  expect(assemblies.flatMap(({ uses }) => uses).filter((use) => use.placements.length === 0)).toEqual([]);
});

function determinant([[a, b, c], [d, e, f], [g, h, i]]: Placement): number {
  return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
}
