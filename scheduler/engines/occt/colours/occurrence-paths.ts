// Placed instances have no entity of their own for their style: it refers to their use, or to its shape or placement.
import type { StepFile } from '../step/parse-step.ts';
import type { ProductStructure, StepUse } from '../step/product-structure.ts';
import { referenceIn } from '../step/values.ts';

export type OccurrencePaths = {
  /** Whether an entity is, or belongs to, a placed instance. */
  isOccurrence(id: number): boolean;
  /** Returns the uses that lead to an instance, from the outermost one. Null if the entities name no instance. */
  pathOf(entities: readonly number[]): StepUse[] | null;
};

// A higher usage consists of a use and an upper usage, which may be a higher one, too.
const MAX_DEPTH = 50;

/** Finds placed instances by the entities of their use, its shape, its placement, or a representation of it. */
export function occurrencePaths({ entities }: StepFile, { products }: ProductStructure): OccurrencePaths {
  const uses = new Map<number, StepUse>();
  for (const use of [...products.values()].flatMap((product) => product.uses)) {
    uses.set(use.id, use);
    if (use.mappedItem !== undefined) uses.set(use.mappedItem, use);
  }
  // The entity that each one of these refers to, in the direction of the use.
  const next = new Map<number, number>();
  for (const { id, type, values } of entities.values()) {
    const [first, second, third] = values.slice(0, 3).map(referenceIn);
    if (type === 'PRODUCT_DEFINITION_SHAPE' && third) next.set(id, third);
    if (type === 'SHAPE_DEFINITION_REPRESENTATION' && first && second) next.set(second, first);
    if (type === 'CONTEXT_DEPENDENT_SHAPE_REPRESENTATION' && first && second) {
      next.set(id, second);
      next.set(first, second);
    }
  }
  const find = (id: number, depth: number): StepUse[] | null => {
    const use = uses.get(id);
    if (use) return [use];
    if (depth > MAX_DEPTH) return null;
    const entity = entities.get(id);
    if (entity?.type === 'SPECIFIED_HIGHER_USAGE_OCCURRENCE') {
      const [upper, lower] = entity.values.slice(6, 8).map((value) => referenceIn(value) ?? 0);
      const [above, last] = [find(upper ?? 0, depth + 1), uses.get(lower ?? 0)];
      return above && last ? [...above, last] : null;
    }
    const following = next.get(id);
    return following === undefined ? null : find(following, depth + 1);
  };
  const isChain = (path: StepUse[]) =>
    path.every((use, i) => i === 0 || products.get(path[i - 1]!.product)!.uses.includes(use));
  return {
    isOccurrence: (id) => find(id, 0) !== null,
    pathOf: (ids) => {
      const parts = ids.map((id) => find(id, 0));
      if (!parts.length || parts.includes(null)) return null;
      const path = parts.flatMap((part) => part ?? []);
      if (isChain(path)) return path;
      path.reverse();
      return isChain(path) ? path : null;
    },
  };
}
