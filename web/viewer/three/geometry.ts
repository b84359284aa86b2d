// Reads triangles and feature edges from three.js geometries.
import { BufferAttribute, type BufferGeometry } from 'three';
import { featureEdges, type Triangles } from '../feature-edges.ts';
import { trianglesOf } from './load-model.ts';

/** Larger bodies get no lines: computing them would block the browser for a second. */
const MAX_BODY_TRIANGLES = 600_000;
/** The minimum angle of an edge in a file without normals, whose round faces consist of flat facets. */
const FACET_DEGREES = 30;

/** Returns the triangles of a geometry in its own space; `normals` is null if the file has none. */
export function readTriangles(
  geometry: BufferGeometry,
): Omit<Triangles, 'normals'> & { positions: Float32Array; normals: Float32Array | null } {
  const { position, normal } = geometry.attributes;
  const positions = position ? toFloat32Array(position) : new Float32Array();
  const indices = geometry.index?.array ?? Uint32Array.from({ length: positions.length / 3 }, (_, i) => i);
  return { positions, normals: normal ? toFloat32Array(normal) : null, indices };
}

/** Returns whether a geometry is too large to compute its edges. */
export const isTooLarge = (geometry: BufferGeometry): boolean => trianglesOf(geometry) > MAX_BODY_TRIANGLES;

/** Returns the feature edges of a geometry, computed once; null if it is too large. */
export function edgeLinesOf(geometry: BufferGeometry): Float32Array | null {
  if (isTooLarge(geometry)) return null;
  const lines = cache.get(geometry) ?? computeEdgeLines(geometry);
  cache.set(geometry, lines);
  return lines;
}

const cache = new WeakMap<BufferGeometry, Float32Array>();

function computeEdgeLines(geometry: BufferGeometry): Float32Array {
  const { positions, normals, indices } = readTriangles(geometry);
  if (normals) return featureEdges({ positions, normals, indices });
  const faceted = geometry.clone().toNonIndexed();
  faceted.computeVertexNormals();
  const triangles = readTriangles(faceted);
  faceted.dispose();
  return triangles.normals
    ? featureEdges({ ...triangles, normals: triangles.normals }, FACET_DEGREES)
    : new Float32Array();
}

type Attribute = NonNullable<BufferGeometry['attributes'][string]>;

function toFloat32Array(attribute: Attribute): Float32Array {
  if (attribute instanceof BufferAttribute && attribute.array instanceof Float32Array && attribute.itemSize === 3)
    return attribute.array;
  const values = new Float32Array(attribute.count * 3);
  for (let i = 0; i < attribute.count; i++)
    values.set([attribute.getX(i), attribute.getY(i), attribute.getZ(i)], i * 3);
  return values;
}
