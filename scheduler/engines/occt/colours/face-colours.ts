import type { Kernel, Shape } from '../kernel.ts';
import { facesOf, ShapeMap } from '../product/faces.ts';
import type { Colour } from '../product/palette.ts';
import type { Part } from '../product/product.ts';

/** Returns the shape that the reader built from an entity of the file, or null. The caller frees it. */
export type ShapeOfItem = (item: number) => Shape | null;

/**
 * Gives parts the colours of their faces. A colour of a face precedes that of its shell, its solid and its
 * representation: the item with fewer faces decides. The colour of a mapped item covers everything in its place.
 */
export function colourParts(
  kernel: Kernel,
  parts: Iterable<Part>,
  itemColours: ReadonlyMap<number, Colour>,
  shapeOfItem: ShapeOfItem,
  isMappedItem: (item: number) => boolean,
): void {
  using colourOf = new ShapeMap<{ colour: Colour; faces: number }>(kernel);
  using mappedColourOf = new ShapeMap<Colour>(kernel, true);
  for (const [item, colour] of itemColours) {
    using shape = shapeOfItem(item);
    if (!shape) continue;
    const isMapped = isMappedItem(item);
    const faces = [...facesOf(kernel, shape)];
    for (const face of faces) {
      const known = colourOf.get(face);
      if (isMapped) mappedColourOf.set(face, colour);
      else if (!known || faces.length <= known.faces) colourOf.set(face, { colour, faces: faces.length });
      face.delete();
    }
  }
  for (const part of parts) {
    const colours: (Colour | null)[] = [];
    for (const face of facesOf(kernel, part.shape)) {
      colours.push(mappedColourOf.get(face) ?? colourOf.get(face)?.colour ?? null);
      face.delete();
    }
    const distinct = new Set(colours.map((colour) => colour?.join()));
    if (distinct.size > 1) part.faceColours = colours;
    else if (colours[0]) part.colour = colours[0];
  }
}
