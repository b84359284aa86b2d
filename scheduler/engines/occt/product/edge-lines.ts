import type { Kernel, Shape } from '../kernel.ts';
import { ShapeMap } from './faces.ts';

/**
 * Returns the edges of a meshed shape as pairs of points. Edges without a curve, which the kernel refuses, are left out.
 */
export function edgeLines(kernel: Kernel, shape: Shape, tolerance: number, angle: number): Float32Array {
  return linesOf(kernel, shape, tolerance, angle) ?? linesOfEach(kernel, shape, tolerance, angle);
}

function linesOf(kernel: Kernel, shape: Shape, tolerance: number, angle: number): Float32Array | null {
  try {
    using edges = kernel.ReplicadEdgeMeshExtractor.extract(shape, tolerance, angle);
    return new Float32Array(kernel.wasmMemory.buffer, edges.getLinesPtr(), edges.getLinesSize()).slice();
  } catch (error) {
    if (error instanceof WebAssembly.Exception) return null;
    throw error;
  }
}

function linesOfEach(kernel: Kernel, shape: Shape, tolerance: number, angle: number): Float32Array {
  using seen = new ShapeMap<true>(kernel);
  using explorer = new kernel.TopExp_Explorer(shape, 'TopAbs_EDGE', 'TopAbs_SHAPE');
  const lines: number[] = [];
  for (; explorer.More(); explorer.Next()) {
    using edge = explorer.Current();
    if (seen.get(edge)) continue;
    seen.set(edge, true);
    for (const at of linesOf(kernel, edge, tolerance, angle) ?? []) lines.push(at);
  }
  return Float32Array.from(lines);
}
