import { BufferGeometry, Group, Mesh } from 'three';
import { expect, test } from 'vitest';
import type { Entity } from '../../../subgraphs/core/domain/measure/entity.ts';
import { createHighlights } from './highlights.ts';

test('shows picks until they are cleared, and one face under the pointer', () => {
  const highlights = createHighlights(() => {});
  const mesh = new Mesh();
  new Group().add(mesh);
  const face = (name: string) => {
    const geometry = new BufferGeometry();
    geometry.name = name;
    return { entity: {} as Entity, highlight: { kind: 'face' as const, geometry } };
  };
  const shown = () => mesh.children.map((child) => (child as Mesh).geometry.name);
  highlights.hover({ mesh, found: face('a') });
  highlights.hover({ mesh, found: face('b') });
  expect(shown()).toEqual(['b']);
  highlights.pick(mesh, face('b'));
  highlights.hover({ mesh, found: face('c') });
  highlights.pick(mesh, face('c'));
  expect(shown()).toEqual(['b', 'c']);
  highlights.clear(1); // another face of the same component replaces the first
  expect(shown()).toEqual(['c']);
  highlights.hover(null);
  expect(shown()).toEqual(['c']);
  highlights.clear();
  expect(shown()).toEqual([]);
});
