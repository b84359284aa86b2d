import type { Shape } from '../kernel.ts';
import type { Colour } from '../product/palette.ts';
import type { Part, Use } from '../product/product.ts';

/**
 * A colour that an assembly gives to one of its instances, or to an instance inside of it: `path` leads there. It covers
 * everything there instead of the colours of the parts, or only one part.
 */
export type OccurrenceColour<S extends object = Shape> = {
  colour: Colour;
  path: readonly Use<S>[];
  part: Part<S> | null;
};

type Colours<S extends object> = readonly OccurrenceColour<S>[];

/** Returns the colours that apply inside of a use, given those that apply to the assembly around it, outermost first. */
export function coloursInside<S extends object>(around: Colours<S>, use: Use<S>): Colours<S> {
  if (!around.length) return use.colours ?? around;
  const passed = around.flatMap((each) => {
    if (!each.path.length) return [each];
    return each.path[0] === use ? [{ ...each, path: each.path.slice(1) }] : [];
  });
  return [...passed, ...(use.colours ?? [])];
}

/** Returns the colour of an instance of a part. An outer assembly decides, then the more specific colour. */
export function colourOfInstance<S extends object>(colours: Colours<S>, part: Part<S>): Colour | undefined {
  return colours.find(({ path, part: only }) => !path.length && (only === null || only === part))?.colour;
}

/** Orders the colours of a use: those of a longer path or of a single part first, of equal ones the later first. */
export function bySpecificity<S extends object>(colours: Colours<S>): OccurrenceColour<S>[] {
  const rank = ({ path, part }: OccurrenceColour<S>) => 2 * path.length + (part ? 1 : 0);
  return [...colours].reverse().sort((a, b) => rank(b) - rank(a));
}
