import type { Kernel, Shape } from './kernel.ts';

/** How many solids or faces a shape has; a placed part counts as often as it is placed. */
export function count(kernel: Kernel, shape: Shape, kind: 'solid' | 'face'): number {
  using explorer = new kernel.TopExp_Explorer(shape, kind === 'solid' ? 'TopAbs_SOLID' : 'TopAbs_FACE', 'TopAbs_SHAPE');
  let found = 0;
  for (; explorer.More(); explorer.Next()) found++;
  return found;
}
