// The solids of a part, which have a volume, and the faces outside of them, which have only an area.
import type { Kernel, Shape } from '../kernel.ts';
import { facesOf } from './faces.ts';

/** Returns the positions of the faces that belong to no solid, in the kernel's order. */
export function openFaces(kernel: Kernel, shape: Shape): Set<number> {
  const positions = new Set<number>();
  using outside = new kernel.TopExp_Explorer(shape, 'TopAbs_FACE', 'TopAbs_SOLID');
  if (!outside.More()) return positions;
  let position = 0;
  for (const face of facesOf(kernel, shape)) {
    if (outside.More()) {
      using next = outside.Current();
      if (face.IsEqual(next)) {
        positions.add(position);
        outside.Next();
      }
    }
    face.delete();
    position++;
  }
  return positions;
}

/** Returns a compound of the solids of a shape. The caller frees it. */
export function solidsOf(kernel: Kernel, shape: Shape): Shape {
  using builder = new kernel.TopoDS_Builder();
  const compound = new kernel.TopoDS_Compound();
  builder.MakeCompound(compound);
  using explorer = new kernel.TopExp_Explorer(shape, 'TopAbs_SOLID', 'TopAbs_SHAPE');
  for (; explorer.More(); explorer.Next()) {
    using solid = explorer.Current();
    builder.Add(compound, solid);
  }
  return compound;
}
