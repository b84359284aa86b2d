import { LIMITS, sanitizeName } from './limits.ts';
import type { Definition } from './product.ts';

/**
 * A node of the structure tree. `occurrences`: how often its parent places it. `more`: the number of entries omitted
 * from `children`.
 */
export type StructureEntry = { name: string; occurrences: number; children: StructureEntry[]; more?: number };

/**
 * Builds the product structure, with equal uses under one parent merged into one entry. Limited to
 * `LIMITS.structureEntries`: the tree is filled level by level, so the deepest entries are omitted, and `more` counts
 * them.
 */
export function structureTree(root: Definition): StructureEntry {
  const top: StructureEntry = { name: sanitizeName(root.name), occurrences: 1, children: [] };
  const queue: [Definition, StructureEntry][] = [[root, top]];
  let entries = 1;
  for (const [definition, entry] of queue) {
    if (definition.shape) continue;
    const children = Map.groupBy(definition.uses, (use) => use.definition);
    for (const [child, uses] of children) {
      if (entries >= LIMITS.structureEntries) break;
      const childEntry = { name: sanitizeName(child.name), occurrences: uses.length, children: [] };
      entry.children.push(childEntry);
      queue.push([child, childEntry]);
      entries++;
    }
    if (entry.children.length < children.size) entry.more = children.size - entry.children.length;
  }
  return top;
}
