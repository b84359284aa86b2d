import { BoxGeometry, LineBasicMaterial, Mesh } from 'three';
import { expect, test } from 'vitest';
import { IDENTITY_ROWS } from '../../../subgraphs/core/domain/measure/entity.ts';
import type { MeasureData } from '../../../subgraphs/core/domain/measure/measure-data.ts';
import type { Model } from './load-model.ts';
import { disposeShape, entityNear, type Shape } from './placing-shape.ts';

const MEASURE: MeasureData = {
  units: 'mm',
  chordError: 0.1,
  parts: [
    {
      name: 'Box',
      mesh: 0,
      faces: [
        {
          kind: 'plane',
          accuracy: 'exact',
          at: [0, 0, 0],
          direction: [0, 0, 1],
          area: 1,
          areaError: 0,
          triangles: [0, 0, 12],
        },
      ],
      edges: [{ kind: 'line', accuracy: 'exact', from: [0, 0, 0], to: [10, 0, 0], length: 10, faces: [0] }],
    },
  ],
  placements: [{ part: 0, matrix: IDENTITY_ROWS }],
};

test('finds an edge near a point, else the face, each with one geometry to highlight it', () => {
  const mesh = new Mesh(new BoxGeometry(1, 1, 1));
  const model = { bodies: [{ mesh, source: { mesh: 0, primitive: 0 } }], dispose: () => {} } as unknown as Model;
  const shape: Shape = { model, measure: MEASURE, lines: new LineBasicMaterial(), highlights: new Map() };
  const find = (y: number) => entityNear(shape, 0, { triangle: 3, at: [5, y, 0], reach: 1, rows: IDENTITY_ROWS });
  expect([find(0.5), find(2)].map((found) => [found?.entity.kind, found?.highlight.kind])).toEqual([
    ['line', 'edge'],
    ['plane', 'face'],
  ]);
  const [edge, face] = [find(0.5)?.highlight.geometry, find(2)?.highlight.geometry];
  // the pointer moves over the same faces again and again
  expect(find(0.2)?.highlight.geometry).toBe(edge);
  expect(find(3)?.highlight.geometry).toBe(face);
  const disposed: unknown[] = [];
  for (const geometry of [edge, face]) geometry?.addEventListener('dispose', ({ target }) => disposed.push(target));
  disposeShape(shape);
  expect(disposed).toEqual([edge, face]);
});
