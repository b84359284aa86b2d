import type { Shape } from './kernel.ts';
import { IDENTITY, type Matrix, multiply } from './matrix.ts';
import type { Colour } from './palette.ts';

/**
 * A part has a shape, and a colour if whoever made it gave it one; an assembly has uses of other definitions; each definition
 * exists once, however often it is placed. Lengths are mm.
 */
export type Definition = Part | Assembly;
export type Part = { name: string; shape: Shape; uses: null; colour?: Colour };
export type Assembly = { name: string; shape: null; uses: Use[] };

export type Use = { of: Definition; name: string; transform: Matrix };

/** A part as it stands in the whole. */
export type Placement = { part: Part; matrix: Matrix };

/** Something worth knowing about the input that does not fail the job. */
export type Warning = { code: WarningCode; message: string };
export type WarningCode =
  | 'invalid_shape'
  | 'no_solid'
  | 'inverted_solid'
  | 'no_unit'
  | 'missing_part'
  | 'flattened'
  | 'constraints_ignored';

/** Every placed part below a definition. The tree has been checked: it ends, and not too late. */
export function placements(root: Definition): Placement[] {
  const found: Placement[] = [];
  const walk = (definition: Definition, matrix: Matrix) => {
    if (definition.shape) found.push({ part: definition, matrix });
    else for (const use of definition.uses) walk(use.of, multiply(matrix, use.transform));
  };
  walk(root, IDENTITY);
  return found;
}

/** The definitions of a product, each once: its parts and its assemblies, the root among them. */
export function definitionsOf(root: Definition): Set<Definition> {
  const found = new Set([root]);
  for (const definition of found) for (const use of definition.uses ?? []) found.add(use.of);
  return found;
}
