import { expect, test } from 'vitest';
import { IDENTITY } from './matrix.ts';
import type { Definition } from './product.ts';
import { structureTree } from './structure-tree.ts';

const assembly = (name: string, children: Definition[]): Definition => ({
  name,
  shape: null,
  uses: children.map((definition) => ({ definition, name: 'use', transform: IDENTITY })),
});

test('merges equal uses of one parent into one entry with a count', () => {
  const bolt = assembly('bolt', []);
  expect(structureTree(assembly('top', [bolt, assembly('plate', []), bolt]))).toEqual({
    name: 'top',
    occurrences: 1,
    children: [
      { name: 'bolt', occurrences: 2, children: [] },
      { name: 'plate', occurrences: 1, children: [] },
    ],
  });
});

test('omits the deepest entries beyond 2,000 and counts them', () => {
  const pair = (name: string, below: Definition[]) => [assembly(`${name} a`, below), assembly(`${name} b`, below)];
  let level: Definition[] = [];
  for (let i = 0; i < 20; i++) level = pair(String(i), level);
  const tree = structureTree(assembly('top', level));
  const all = [tree];
  for (const entry of all) all.push(...entry.children);
  expect(all.length).toBe(2000);
  expect(all.filter(({ more }) => more).every(({ more, children }) => (more ?? 0) + children.length === 2)).toBe(true);
  expect(tree.more).toBeUndefined();
});

test('truncates names between characters and removes control characters', () => {
  expect(structureTree(assembly('pin\u202egnp.\u2028A', [])).name).toBe('pin gnp. A');
  expect(structureTree(assembly(`${'x'.repeat(199)}😀😀`, [])).name).toBe(`${'x'.repeat(199)}…`);
  expect(structureTree(assembly(`a\n${'x'.repeat(500)}`, [])).name).toBe(`a ${'x'.repeat(198)}…`);
});
