import { pluralize } from '../../../../subgraphs/core/domain/text/pluralize.ts';
import { sanitizeName } from '../limits.ts';
import type { Mesh } from './mesh.ts';
import type { Part, Warning } from './product.ts';

/** A part with faces that have no triangles: the 3D view and the thumbnail do not show them. */
export type UnmeshedFaces = { part: string; faces: number };

/** Lists the parts with faces without triangles. */
export function unmeshedFaces(meshes: Map<Part, Mesh>): UnmeshedFaces[] {
  return [...meshes].flatMap(([{ name }, { unmeshed }]) =>
    unmeshed ? [{ part: sanitizeName(name), faces: unmeshed }] : [],
  );
}

/** Returns the warning about faces without triangles, if there are any. */
export function unmeshedWarning(unmeshed: UnmeshedFaces[]): Warning[] {
  if (!unmeshed.length) return [];
  const count = unmeshed.reduce((sum, { faces }) => sum + faces, 0);
  const names = unmeshed.slice(0, 3).map(({ part, faces }) => `${part} (${faces})`);
  const list = `${names.join(', ')}${unmeshed.length > 3 ? ', …' : ''}`;
  return [
    {
      code: 'unmeshed_faces',
      message: `${pluralize(count, 'face')} cannot be triangulated and ${count === 1 ? 'is' : 'are'} missing in the 3D view and the thumbnail: ${list}; measurements include them`,
    },
  ];
}
