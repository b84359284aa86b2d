import type { Kernel } from '../kernel.ts';
import { facesOf, ShapeMap } from '../product/faces.ts';
import type { Colour } from '../product/palette.ts';
import { definitionsOf, type Part, type Use } from '../product/product.ts';
import type { ProductStructure, StepUse } from '../step/product-structure.ts';
import type { ShapeOfItem } from './face-colours.ts';
import { bySpecificity, type OccurrenceColour } from './occurrence-colours.ts';
import type { OccurrencePaths } from './occurrence-paths.ts';
import type { OccurrenceStyle } from './read-styles.ts';

export type OccurrenceSources = {
  structure: ProductStructure;
  paths: OccurrencePaths;
  useOf: ReadonlyMap<StepUse, Use>;
  parts: readonly Part[];
  shapeOfItem: ShapeOfItem;
};

type Face = { part: Part; face: number };
/** The faces of a part that styles cover with one colour in one instance. */
type Covered = { path: readonly Use[]; colour: Colour; part: Part | null; faces: Set<number>; styles: number };

/**
 * Gives uses the colours of single instances. Returns the number of styles that are not applied: those of single faces or
 * solids of a part, and those of instances that cannot be found.
 */
export function colourOccurrences(
  kernel: Kernel,
  styles: readonly OccurrenceStyle[],
  sources: OccurrenceSources,
): number {
  using faces = new ShapeMap<Face>(kernel);
  const faceCounts = new Map<Part, number>();
  if (styles.length)
    for (const part of sources.parts) {
      let count = 0;
      for (const shape of facesOf(kernel, part.shape)) {
        faces.set(shape, { part, face: count++ });
        shape.delete();
      }
      faceCounts.set(part, count);
    }
  const covered = new Map<string, Covered>();
  const keyOf = createKeys();
  let unread = 0;
  for (const { item, context, colour } of styles) {
    const steps = sources.paths.pathOf(context);
    const path = steps?.flatMap((step) => sources.useOf.get(step) ?? []) ?? [];
    const targets = steps && path.length === steps.length ? coveredBy(kernel, item, steps, faces, sources) : null;
    if (!targets?.size) unread++;
    for (const [part, own] of targets ?? []) {
      const key = [...path, part ?? null, colour.join()].map(keyOf).join();
      const known = covered.get(key) ?? { path, colour, part, faces: new Set(), styles: 0 };
      for (const face of own) known.faces.add(face);
      known.styles++;
      covered.set(key, known);
    }
  }
  const coloursOf = new Map<Use, OccurrenceColour[]>();
  for (const { path, colour, part, faces: own, styles: count } of covered.values()) {
    const [use, ...rest] = path;
    const end = path.at(-1)?.definition;
    const isPartial = part && own.size < faceCounts.get(part)!;
    if (!use || !end || isPartial || (part && !definitionsOf(end).has(part))) unread += count;
    else {
      const isAll = end === part;
      coloursOf.set(use, [...(coloursOf.get(use) ?? []), { colour, path: rest, part: isAll ? null : part }]);
    }
  }
  for (const [use, colours] of coloursOf) use.colours = bySpecificity(colours);
  return unread;
}

// The faces that a style covers, by part; null: everything in the instance.
function coveredBy(
  kernel: Kernel,
  item: number,
  steps: readonly StepUse[],
  faces: ShapeMap<Face>,
  { structure, paths, shapeOfItem }: OccurrenceSources,
): Map<Part | null, number[]> {
  const { representation, geometry } = structure.products.get(steps.at(-1)!.product)!;
  if (paths.isOccurrence(item) || item === representation || geometry.includes(item)) return new Map([[null, []]]);
  const found = new Map<Part | null, number[]>();
  using shape = shapeOfItem(item);
  for (const face of shape ? facesOf(kernel, shape) : []) {
    const known = faces.get(face);
    if (known) {
      const own = found.get(known.part) ?? [];
      own.push(known.face);
      found.set(known.part, own);
    }
    face.delete();
  }
  return found;
}

// Numbers values, so that they can be parts of a key.
function createKeys(): (value: unknown) => number {
  const numbers = new Map<unknown, number>();
  return (value) => {
    const known = numbers.get(value) ?? numbers.size;
    numbers.set(value, known);
    return known;
  };
}
