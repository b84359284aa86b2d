import type { Kernel, Shape } from '../kernel.ts';
import { facesOf, ShapeMap } from '../product/faces.ts';
import type { Colour } from '../product/palette.ts';
import type { Part } from '../product/product.ts';

/** Returns the shape that the reader built from an entity of the file, or null. The caller frees it. */
export type ShapeOfItem = (item: number) => Shape | null;

/**
 * Gives parts the colours of their faces. A colour of a face precedes that of its shell, its solid and its
 * representation: the item with fewer faces decides.
 */
export function colourParts(
  kernel: Kernel,
  parts: Iterable<Part>,
  itemColours: ReadonlyMap<number, Colour>,
  shapeOfItem: ShapeOfItem,
): void {
  using colourOf = new ShapeMap<{ colour: Colour; faces: number }>(kernel);
  for (const [item, colour] of itemColours) {
    using shape = shapeOfItem(item);
    if (!shape) continue;
    const faces = [...facesOf(kernel, shape)];
    for (const face of faces) {
      const known = colourOf.get(face);
      if (!known || faces.length <= known.faces) colourOf.set(face, { colour, faces: faces.length });
      face.delete();
    }
  }
  for (const part of parts) {
    const colours: (Colour | null)[] = [];
    for (const face of facesOf(kernel, part.shape)) {
      colours.push(colourOf.get(face)?.colour ?? null);
      face.delete();
    }
    const distinct = new Set(colours.map((colour) => colour?.join()));
    if (distinct.size > 1) part.faceColours = colours;
    else if (colours[0]) part.colour = colours[0];
  }
}
