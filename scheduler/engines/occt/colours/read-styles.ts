import type { Colour } from '../product/palette.ts';
import type { Entity, StepFile } from '../step/parse-step.ts';
import { referenceIn, type Value } from '../step/values.ts';

/** A colour in the context of placed instances; `item` is what it colours there, `context` what names the instances. */
export type OccurrenceStyle = { item: number; context: readonly number[]; colour: Colour };

/** The surface colours of items, by their id: a face, a shell, a solid or a representation; and those in a context. */
export type Styles = { items: Map<number, Colour>; occurrences: OccurrenceStyle[] };

/**
 * Returns the surface colours of a STEP file with their transparency. Styles without a surface colour, for example of
 * curves, and values of unexpected kinds are skipped: a colour is never a reason to refuse a file. `isOccurrence` returns
 * whether an entity is, or belongs to, a placed instance.
 */
export function readStyles(file: StepFile, isOccurrence: (id: number) => boolean): Styles {
  const styles: Styles = { items: new Map(), occurrences: [] };
  const surfaceOf = createSurfaceReader(file);
  // An overriding style follows the style that it overrides, wherever it is in the file.
  const inOrder = [
    ...file.idsOf('STYLED_ITEM'),
    ...file.idsOf('OVER_RIDING_STYLED_ITEM'),
    ...file.idsOf('CONTEXT_DEPENDENT_OVER_RIDING_STYLED_ITEM'),
  ];
  for (const { values } of inOrder.flatMap((id) => file.lookUp(id) ?? [])) {
    const item = referenceIn(values[2]);
    if (item === null) continue;
    for (const style of [values[1]].flat()) {
      const colour = surfaceOf(style);
      if (!colour) continue;
      const context = contextOf(file, item, style, values[4]).filter(
        (id) => Array.isArray(values[4]) || isOccurrence(id),
      );
      if (context.length) styles.occurrences.push({ item, context, colour });
      else styles.items.set(item, colour);
      break;
    }
  }
  return styles;
}

// The instances may be a list of the styled item, the context of its style, or the item itself.
function contextOf(file: StepFile, item: number, style: Value | undefined, list: Value | undefined): number[] {
  if (Array.isArray(list)) return list.flatMap((each) => referenceIn(each) ?? []);
  const entity = file.lookUp(referenceIn(style) ?? 0);
  const context = entity?.type === 'PRESENTATION_STYLE_BY_CONTEXT' ? referenceIn(entity.values[1]) : null;
  return [context ?? item];
}

// A styled item refers to its colour through up to six entities, each of which lists or names the next ones.
const MAX_DEPTH = 8;

type Surface = { colour: Colour | null; transparency: number };

// Returns a function that reads the colour of a style; many items share a style.
function createSurfaceReader(file: StepFile): (style: Value | undefined) => Colour | null {
  const known = new Map<number, Colour | null>();
  return (style) => {
    const id = referenceIn(style);
    if (id === null) return null;
    const read = known.get(id);
    if (read !== undefined) return read;
    const surface: Surface = { colour: null, transparency: 0 };
    collect(file, style, surface, new Set(), 0);
    const { colour, transparency } = surface;
    const found: Colour | null =
      colour && transparency > 0 ? [colour[0], colour[1], colour[2], roundTo3(1 - transparency)] : colour;
    known.set(id, found);
    return found;
  };
}

function collect(file: StepFile, value: Value | undefined, surface: Surface, seen: Set<number>, depth: number): void {
  if (Array.isArray(value)) {
    for (const each of value) collect(file, each, surface, seen, depth);
    return;
  }
  const id = referenceIn(value);
  const entity = id === null || depth > MAX_DEPTH || seen.has(id) ? undefined : file.lookUp(id);
  if (id === null || !entity) return;
  seen.add(id);
  const next = NEXT[entity.type];
  if (next) for (const index of next) collect(file, entity.values[index], surface, seen, depth + 1);
  else if (entity.type === 'SURFACE_STYLE_TRANSPARENT') {
    const [transparency] = entity.values;
    if (typeof transparency === 'number' && transparency >= 0 && transparency <= 1)
      surface.transparency = Math.max(surface.transparency, roundTo3(transparency));
  } else surface.colour ??= readColour(entity);
}

const roundTo3 = (value: number) => Math.round(value * 1000) / 1000;

// The arguments of each style entity that lead to the colour and the transparency.
const NEXT: Record<string, readonly number[]> = {
  PRESENTATION_STYLE_ASSIGNMENT: [0],
  PRESENTATION_STYLE_BY_CONTEXT: [0],
  SURFACE_STYLE_USAGE: [1],
  SURFACE_SIDE_STYLE: [1],
  SURFACE_STYLE_FILL_AREA: [0],
  SURFACE_STYLE_RENDERING: [1],
  SURFACE_STYLE_RENDERING_WITH_PROPERTIES: [1, 2],
  FILL_AREA_STYLE: [1],
  FILL_AREA_STYLE_COLOUR: [1],
};
function readColour({ type, values }: Entity): Colour | null {
  if (type === 'COLOUR_RGB') {
    const channels = values.slice(1, 4).map((value) => (typeof value === 'number' ? value : Number.NaN));
    if (channels.length < 3 || !channels.every((value) => value >= 0 && value <= 1)) return null;
    const [red, green, blue] = channels.map((value) => Math.round(value * 255_000) / 1000) as [number, number, number];
    return [red, green, blue];
  }
  return type.endsWith('PRE_DEFINED_COLOUR') ? (PRE_DEFINED[String(values[0]).toLowerCase()] ?? null) : null;
}

// ISO 10303-46 names these.
const PRE_DEFINED: Record<string, Colour> = {
  red: [255, 0, 0],
  green: [0, 255, 0],
  blue: [0, 0, 255],
  yellow: [255, 255, 0],
  magenta: [255, 0, 255],
  cyan: [0, 255, 255],
  black: [0, 0, 0],
  white: [255, 255, 255],
};
