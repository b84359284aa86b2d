import { type Kernel, type Shape, withKernelErrors } from '../kernel.ts';
import { countSubshapes } from './count-subshapes.ts';

/** A repaired copy of a shape; `deviation` is the relative change of its area or volume, whichever is larger. */
export type RepairedShape = { shape: Shape; deviation: number };

/**
 * Repairs the solids of a shape, for example edges without a curve. Null if it has none, has faces beside them, or would
 * lose a face. The caller frees the copy.
 */
export function repairShape(kernel: Kernel, shape: Shape): RepairedShape | null {
  return withKernelErrors(kernel, 'repair', () => {
    const solids = repairedSolids(kernel, shape);
    const repaired = joinSolids(kernel, solids);
    if (repaired && countSubshapes(kernel, repaired, 'face') === countSubshapes(kernel, shape, 'face'))
      return { shape: repaired, deviation: deviationOf(sizesOf(kernel, shape), sizesOf(kernel, repaired)) };
    repaired?.delete();
    return null;
  });
}

function repairedSolids(kernel: Kernel, shape: Shape): Shape[] {
  const solids: Shape[] = [];
  using explorer = new kernel.TopExp_Explorer(shape, 'TopAbs_SOLID', 'TopAbs_SHAPE');
  for (; explorer.More(); explorer.Next()) {
    using current = explorer.Current();
    using solid = kernel.TopoDS.Solid(current);
    using fix = new kernel.ShapeFix_Solid(solid);
    using progress = new kernel.Message_ProgressRange();
    fix.Perform(progress);
    solids.push(fix.Solid());
  }
  return solids;
}

function joinSolids(kernel: Kernel, solids: Shape[]): Shape | null {
  const [only, ...more] = solids;
  if (!only || !more.length) return only ?? null;
  using builder = new kernel.TopoDS_Builder();
  const compound = new kernel.TopoDS_Compound();
  builder.MakeCompound(compound);
  for (const solid of solids) {
    builder.Add(compound, solid);
    solid.delete();
  }
  return compound;
}

type Sizes = { area: number; volume: number };

function sizesOf(kernel: Kernel, shape: Shape): Sizes {
  using surface = new kernel.GProp_GProps();
  using volume = new kernel.GProp_GProps();
  kernel.BRepGProp.SurfaceProperties(shape, surface, false, false);
  kernel.BRepGProp.VolumeProperties(shape, volume, false, false, false);
  return { area: surface.Mass(), volume: Math.abs(volume.Mass()) };
}

const deviationOf = (before: Sizes, after: Sizes) =>
  Math.max(changeOf(before.area, after.area), changeOf(before.volume, after.volume));

// Infinite for a value that was 0, or that cannot be computed.
function changeOf(before: number, after: number): number {
  if (before === after) return 0;
  const change = Math.abs(after / before - 1);
  return Number.isNaN(change) ? Infinity : change;
}
