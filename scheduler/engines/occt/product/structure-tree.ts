import { LIMITS, sanitizeName } from '../limits.ts';
import { hexOf } from './palette.ts';
import type { Definition, Use } from './product.ts';

/**
 * `occurrences`: how often the parent places the product. `colors`: those that the parent gives to these instances, if it
 * does, as `#rrggbb` or `#rrggbbaa`. `layers`: those of a part, if it has any. `more`: the number of entries omitted from
 * `children`.
 */
export type StructureEntry = {
  name: string;
  occurrences: number;
  colors?: string[];
  layers?: string[];
  children: StructureEntry[];
  more?: number;
};

const MAX_LAYERS = 20;
const MAX_COLORS = 20;

function entryOf(definition: Definition<object>, uses: readonly Use<object>[]): StructureEntry {
  const layers = definition.shape && definition.layers?.slice(0, MAX_LAYERS).map(sanitizeName);
  const given = uses.flatMap(({ colours = [] }) => colours.find(({ path, part }) => !path.length && !part) ?? []);
  const colors = [...new Set(given.map(({ colour }) => hexOf(colour)))].slice(0, MAX_COLORS);
  return {
    name: sanitizeName(definition.name),
    occurrences: Math.max(1, uses.length),
    ...(colors.length && { colors }),
    ...(layers?.length && { layers }),
    children: [],
  };
}

/**
 * Builds the structure tree. Merges equal uses under one parent; limits the number of entries by filling the tree level
 * by level, so the deepest entries are omitted, and `more` counts them.
 */
export function structureTree(root: Definition<object>): StructureEntry {
  const top = entryOf(root, []);
  const queue: [Definition<object>, StructureEntry][] = [[root, top]];
  let entries = 1;
  for (const [definition, entry] of queue) {
    if (definition.shape) continue;
    const children = Map.groupBy(definition.uses, (use) => use.definition);
    for (const [child, uses] of children) {
      if (entries >= LIMITS.structureEntries) break;
      const childEntry = entryOf(child, uses);
      entry.children.push(childEntry);
      queue.push([child, childEntry]);
      entries++;
    }
    if (entry.children.length < children.size) entry.more = children.size - entry.children.length;
  }
  return top;
}
