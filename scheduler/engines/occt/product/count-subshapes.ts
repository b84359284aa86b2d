import type { Kernel, Shape } from '../kernel.ts';

const KINDS = { solid: 'TopAbs_SOLID', face: 'TopAbs_FACE', vertex: 'TopAbs_VERTEX' } as const;

/** Counts the solids, faces or vertices of a shape, including repeated placements and uses. */
export function countSubshapes(kernel: Kernel, shape: Shape, kind: keyof typeof KINDS): number {
  using explorer = new kernel.TopExp_Explorer(shape, KINDS[kind], 'TopAbs_SHAPE');
  let found = 0;
  for (; explorer.More(); explorer.Next()) found++;
  return found;
}
