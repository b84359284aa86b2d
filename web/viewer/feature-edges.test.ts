import { describe, expect, it } from 'vitest';
import { featureEdges, type Triangles } from './feature-edges.ts';

/** A box of the given size with four vertices per face, as CAD engines write it. */
function box(x: number, y: number, z: number): Triangles {
  const mesh = { positions: [] as number[], normals: [] as number[], indices: [] as number[] };
  const size = [x, y, z];
  for (const axis of [0, 1, 2]) {
    for (const end of [0, 1]) {
      const first = mesh.positions.length / 3;
      for (const [u, v] of [
        [0, 0],
        [1, 0],
        [1, 1],
        [0, 1],
      ] as const) {
        const corner = [0, 0, 0];
        corner[axis] = end * (size[axis] ?? 0);
        corner[(axis + 1) % 3] = u * (size[(axis + 1) % 3] ?? 0);
        corner[(axis + 2) % 3] = v * (size[(axis + 2) % 3] ?? 0);
        mesh.positions.push(...corner);
        mesh.normals.push(...[0, 1, 2].map((each) => (each === axis ? end * 2 - 1 : 0)));
      }
      mesh.indices.push(...[0, 1, 2, 0, 2, 3].map((each) => first + each));
    }
  }
  return mesh;
}

/** The side of a cylinder without its ends, closed by a seam that has its own vertices. */
function tube(sides: number): Triangles {
  const mesh = { positions: [] as number[], normals: [] as number[], indices: [] as number[] };
  for (let side = 0; side <= sides; side++) {
    const angle = ((side % sides) * 2 * Math.PI) / sides;
    for (const z of [0, 5]) {
      mesh.positions.push(Math.cos(angle), Math.sin(angle), z);
      mesh.normals.push(Math.cos(angle), Math.sin(angle), 0);
    }
    if (side < sides) mesh.indices.push(...[0, 2, 1, 1, 2, 3].map((each) => side * 2 + each));
  }
  return mesh;
}

const lengths = (lines: Float32Array) =>
  Array.from({ length: lines.length / 6 }, (_, at) =>
    Math.hypot(...[0, 1, 2].map((axis) => (lines[at * 6 + axis] ?? 0) - (lines[at * 6 + 3 + axis] ?? 0))),
  );

describe('featureEdges', () => {
  it('returns the twelve edges of a box and no face diagonals', () => {
    expect(lengths(featureEdges(box(2, 3, 4))).sort()).toEqual([2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4]);
  });

  it('returns the end circles of a cylinder, but not its seam', () => {
    const found = lengths(featureEdges(tube(24)));
    expect(found).toHaveLength(48);
    expect(Math.max(...found)).toBeLessThan(1);
  });

  it('returns the side edges of a coarse cylinder, depending on the angle', () => {
    const { positions, indices } = tube(6);
    const flat = { positions: [] as number[], normals: [] as number[], indices: [] as number[] };
    for (const [at, vertex] of Array.from(indices).entries()) {
      const angle = ((Math.floor(at / 6) + 0.5) * 2 * Math.PI) / 6; // of the side that contains the triangle
      flat.positions.push(...[0, 1, 2].map((axis) => positions[vertex * 3 + axis] ?? 0));
      flat.normals.push(Math.cos(angle), Math.sin(angle), 0);
      flat.indices.push(at);
    }
    expect(lengths(featureEdges(flat, 30)).filter((length) => length === 5)).toHaveLength(6);
    expect(lengths(featureEdges(flat, 75)).filter((length) => length === 5)).toHaveLength(0);
  });

  it('ignores triangles without area', () => {
    expect(
      featureEdges({
        positions: [0, 0, 0, 0, 0, 0, 1, 0, 0],
        normals: [0, 0, 1, 0, 0, 1, 0, 0, 1],
        indices: [0, 1, 2],
      }),
    ).toHaveLength(0);
  });
});
