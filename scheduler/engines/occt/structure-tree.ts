import { LIMITS, shortName } from './limits.ts';
import type { Definition } from './product.ts';

/** A product in the tree of an assembly: how often its parent places it, and what it consists of. `more`: entries left out of `children`. */
export type StructureEntry = { name: string; occurrences: number; children: StructureEntry[]; more?: number };

/**
 * The product structure with equal uses of one parent put together. At most 2,000 entries: the tree is filled level by level, so what is left out is
 * always the deepest, and an entry that does not show everything says how many are missing.
 */
export function structureTree(root: Definition): StructureEntry {
  const top: StructureEntry = { name: shortName(root.name), occurrences: 1, children: [] };
  const queue: [Definition, StructureEntry][] = [[root, top]];
  let entries = 1;
  for (const [definition, entry] of queue) {
    if (definition.shape) continue;
    const children = Map.groupBy(definition.uses, (use) => use.of);
    for (const [child, uses] of children) {
      if (entries >= LIMITS.structureEntries) break;
      const childEntry = { name: shortName(child.name), occurrences: uses.length, children: [] };
      entry.children.push(childEntry);
      queue.push([child, childEntry]);
      entries++;
    }
    if (entry.children.length < children.size) entry.more = children.size - entry.children.length;
  }
  return top;
}
