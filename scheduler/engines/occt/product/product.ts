import type { Shape } from '../kernel.ts';
import type { Material } from '../step/materials.ts';
import { IDENTITY, type Matrix, multiply } from './matrix.ts';
import type { Colour } from './palette.ts';

/**
 * A part has a shape and optionally a material and a colour, or a colour for each face; an assembly has uses (placed instances) of other
 * definitions. Each definition exists once, however often it is placed. Lengths are mm.
 */
export type Definition = Part | Assembly;
export type Part = {
  name: string;
  shape: Shape;
  uses: null;
  colour?: Colour;
  /** In the kernel's order of the faces; null: the face has no colour. */
  faceColours?: readonly (Colour | null)[];
  material?: Material | undefined;
};
export type Assembly = { name: string; shape: null; uses: Use[] };

export type Use = { definition: Definition; name: string; transform: Matrix };

/** A part with its absolute placement in the root's coordinates. */
export type Placement = { part: Part; matrix: Matrix };

/** A problem in the input that does not fail the job. */
export type Warning = { code: WarningCode; message: string };
export type WarningCode =
  | 'invalid_shape'
  | 'no_solid'
  | 'inverted_solid'
  | 'unmeshed_faces'
  | 'uncertain_measurements'
  | 'differs_from_file'
  | 'no_unit'
  | 'trailing_bytes'
  | 'unreadable_names'
  | 'missing_part'
  | 'flattened'
  | 'constraints_ignored';

/** Lists every placed part below a definition. The tree must have passed `assertProductTree`. */
export function placements(root: Definition): Placement[] {
  const found: Placement[] = [];
  const walk = (definition: Definition, matrix: Matrix) => {
    if (definition.shape) found.push({ part: definition, matrix });
    else for (const use of definition.uses) walk(use.definition, multiply(matrix, use.transform));
  };
  walk(root, IDENTITY);
  return found;
}

/** Lists the definitions of a product, each once, including the root. */
export function definitionsOf(root: Definition): Set<Definition> {
  const found = new Set([root]);
  for (const definition of found) for (const use of definition.uses ?? []) found.add(use.definition);
  return found;
}
