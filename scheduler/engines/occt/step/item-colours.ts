import type { Colour } from '../product/palette.ts';
import type { Entity, StepFile } from './parse-step.ts';
import { referenceIn, type Value } from './values.ts';

/**
 * Returns the surface colours of a STEP file by the id of the styled item: a face, a shell, a solid or a representation.
 * Styles without a surface colour, for example of curves, and values of unexpected kinds are skipped: a colour is never
 * a reason to refuse a file.
 */
export function itemColours(file: StepFile): Map<number, Colour> {
  const colours = new Map<number, Colour>();
  // An overriding style follows the style that it overrides, wherever it is in the file.
  const inOrder = [...file.idsOf('STYLED_ITEM'), ...file.idsOf('OVER_RIDING_STYLED_ITEM')];
  for (const { values } of inOrder.flatMap((id) => file.lookUp(id) ?? [])) {
    const item = referenceIn(values[2]);
    const colour = item === null ? null : colourOf(file, values[1], 0);
    if (item !== null && colour) colours.set(item, colour);
  }
  return colours;
}

// A styled item refers to its colour through up to six entities, each of which lists or names the next one.
const MAX_DEPTH = 8;

function colourOf(file: StepFile, value: Value | undefined, depth: number): Colour | null {
  if (depth > MAX_DEPTH) return null;
  if (Array.isArray(value)) {
    for (const each of value) {
      const colour = colourOf(file, each, depth);
      if (colour) return colour;
    }
    return null;
  }
  const id = referenceIn(value);
  const entity = id === null ? undefined : file.lookUp(id);
  if (!entity) return null;
  const next = NEXT[entity.type];
  return next === undefined ? readColour(entity) : colourOf(file, entity.values[next], depth + 1);
}

// The argument of each style entity that leads to the colour.
const NEXT: Record<string, number> = {
  PRESENTATION_STYLE_ASSIGNMENT: 0,
  PRESENTATION_STYLE_BY_CONTEXT: 0,
  SURFACE_STYLE_USAGE: 1,
  SURFACE_SIDE_STYLE: 1,
  SURFACE_STYLE_FILL_AREA: 0,
  SURFACE_STYLE_RENDERING: 1,
  SURFACE_STYLE_RENDERING_WITH_PROPERTIES: 1,
  FILL_AREA_STYLE: 1,
  FILL_AREA_STYLE_COLOUR: 1,
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
