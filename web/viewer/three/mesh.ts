import { BufferAttribute, type BufferGeometry } from 'three';
import { featureEdges, type Triangles } from '../feature-edges.ts';
import { trianglesOf } from './load-model.ts';

/** Of a body of more triangles no lines are computed: that would hold up the page for a second. */
const MOST_OF_A_BODY = 600_000;

/** The figures of a body, in its own space; without normals it is faceted: then nobody said what is round. */
export function figuresOf(
  geometry: BufferGeometry,
): Omit<Triangles, 'normals'> & { positions: Float32Array; normals: Float32Array | null } {
  const { position, normal } = geometry.attributes;
  const positions = position ? plain(position) : new Float32Array();
  const indices = geometry.index?.array ?? Uint32Array.from({ length: positions.length / 3 }, (_, i) => i);
  return { positions, normals: normal ? plain(normal) : null, indices };
}

/** Whether a body is too large for its lines to be computed. */
export const isTooLarge = (geometry: BufferGeometry): boolean => trianglesOf(geometry) > MOST_OF_A_BODY;

/** The lines that an engineer would draw of a body, computed once; null where it is too large for that. */
export function linesOf(geometry: BufferGeometry): Float32Array | null {
  if (isTooLarge(geometry)) return null;
  const lines = known.get(geometry) ?? computed(geometry);
  known.set(geometry, lines);
  return lines;
}

const known = new WeakMap<BufferGeometry, Float32Array>();

function computed(geometry: BufferGeometry): Float32Array {
  const { positions, normals, indices } = figuresOf(geometry);
  if (normals) return featureEdges({ positions, normals, indices });
  const faceted = geometry.clone().toNonIndexed();
  faceted.computeVertexNormals();
  const figures = figuresOf(faceted);
  faceted.dispose();
  return figures.normals ? featureEdges({ ...figures, normals: figures.normals }, 30) : new Float32Array();
}

type Attribute = NonNullable<BufferGeometry['attributes'][string]>;

function plain(attribute: Attribute): Float32Array {
  if (attribute instanceof BufferAttribute && attribute.array instanceof Float32Array && attribute.itemSize === 3)
    return attribute.array;
  const values = new Float32Array(attribute.count * 3);
  for (let i = 0; i < attribute.count; i++)
    values.set([attribute.getX(i), attribute.getY(i), attribute.getZ(i)], i * 3);
  return values;
}
