import { colourOfInstance, coloursInside, type OccurrenceColour } from '../colours/occurrence-colours.ts';
import type { Shape } from '../kernel.ts';
import type { Material } from '../step/materials.ts';
import { IDENTITY, type Matrix, multiply } from './matrix.ts';
import type { Colour } from './palette.ts';

/**
 * A part has a shape and optionally a material and a colour, or a colour for each face; an assembly has uses (placed
 * instances) of other definitions. Each definition exists once, however often it is placed. Lengths are mm. A shape
 * belongs to the kernel, or consists of triangles.
 */
export type Definition<S extends object = Shape> = Part<S> | Assembly<S>;
export type Part<S extends object = Shape> = {
  name: string;
  shape: S;
  uses: null;
  colour?: Colour;
  /** In the kernel's order of the faces; null: the face has no colour. */
  faceColours?: readonly (Colour | null)[];
  material?: Material | undefined;
  layers?: readonly string[];
};
export type Assembly<S extends object = Shape> = { name: string; shape: null; uses: Use<S>[] };

export type Use<S extends object = Shape> = {
  definition: Definition<S>;
  name: string;
  transform: Matrix;
  /** The more specific ones first. */
  colours?: readonly OccurrenceColour<S>[];
};

/**
 * A part with its absolute placement in the root's coordinates, and the colour that an assembly gives to this instance.
 */
export type Placement<S extends object = Shape> = { part: Part<S>; matrix: Matrix; colour?: Colour };

/** A problem in the input that does not fail the job. */
export type Warning = { code: WarningCode; message: string };
export type WarningCode =
  | 'invalid_shape'
  | 'no_solid'
  | 'inverted_solid'
  | 'open_faces'
  | 'unmeshed_faces'
  | 'no_measuring_data'
  | 'uncertain_measurements'
  | 'differs_from_file'
  | 'no_unit'
  | 'trailing_bytes'
  | 'not_standard'
  | 'unreadable_names'
  | 'not_read'
  | 'occurrence_colors'
  | 'missing_part'
  | 'flattened'
  | 'constraints_ignored'
  | 'not_watertight'
  | 'mesh_only'
  | 'repaired_step'
  | 'no_step'
  | 'history_not_shown';

/** Lists every placed part below a definition. The tree must have passed `assertProductTree`. */
export function placements<S extends object>(root: Definition<S>): Placement<S>[] {
  const found: Placement<S>[] = [];
  const walk = (definition: Definition<S>, matrix: Matrix, colours: readonly OccurrenceColour<S>[]) => {
    if (!definition.uses) {
      const colour = colourOfInstance(colours, definition);
      found.push({ part: definition, matrix, ...(colour && { colour }) });
      return;
    }
    for (const use of definition.uses)
      walk(use.definition, multiply(matrix, use.transform), coloursInside(colours, use));
  };
  walk(root, IDENTITY, []);
  return found;
}

/** Lists the definitions of a product, each once, including the root. */
export function definitionsOf<S extends object>(root: Definition<S>): Set<Definition<S>> {
  const found = new Set([root]);
  for (const definition of found) for (const use of definition.uses ?? []) found.add(use.definition);
  return found;
}
