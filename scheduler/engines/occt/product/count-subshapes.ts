import type { Kernel, Shape } from '../kernel.ts';

/** Counts the solids or faces of a shape, including repeated placements. */
export function countSubshapes(kernel: Kernel, shape: Shape, kind: 'solid' | 'face'): number {
  using explorer = new kernel.TopExp_Explorer(shape, kind === 'solid' ? 'TopAbs_SOLID' : 'TopAbs_FACE', 'TopAbs_SHAPE');
  let found = 0;
  for (; explorer.More(); explorer.Next()) found++;
  return found;
}
