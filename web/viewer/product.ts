// The part tree of a model: names, counts, hidden rows. Independent of the 3D library.
import { ancestorIndexes, subtreeEnd, type TreeRow } from '../ui/tree-rows.ts';

/**
 * A row of the part tree. `id` is its index, `ident` the name of its node as in the file; `parts` and `triangles` count
 * its whole subtree, itself included.
 */
export type ProductRow = TreeRow & {
  id: number;
  ident: string;
  name: string;
  product: string;
  parts: number;
  triangles: number;
};

/** A node of a model file. `product` is the name of the part placed here, if the file contains it. */
export type ProductNode = {
  name: string;
  product?: string;
  triangles: number;
  bodies: number;
  children: readonly ProductNode[];
};

/** Returns the tree as a list, depth first. */
export function productRows(root: ProductNode): ProductRow[] {
  const rows: ProductRow[] = [];
  const walk = (node: ProductNode, level: number): ProductRow => {
    const { name, product } = namesOf(node);
    const row = {
      id: rows.length,
      level,
      ident: node.name,
      name,
      product,
      parts: node.bodies,
      triangles: node.triangles,
    };
    rows.push(row);
    for (const child of node.children) {
      const below = walk(child, level + 1);
      row.parts += below.parts;
      row.triangles += below.triangles;
    }
    return row;
  };
  walk(root, 1);
  return rows;
}

/** A node has its own name ("left") and a part name ("bracket"). Omits the part name if the own name contains it. */
function namesOf(node: ProductNode): { name: string; product: string } {
  const product = node.product?.trim() ?? '';
  const name = node.name.trim() || product || 'Unnamed';
  return { name, product: name.toLowerCase().includes(product.toLowerCase()) ? '' : product };
}

export type Hidden = ReadonlySet<number>;

/** How a part differs from the same part in another model. */
export type Difference = 'added' | 'removed' | 'changed' | 'same';

/** Returns whether a row is hidden, itself or through one of its ancestors. */
export const isHidden = (rows: readonly ProductRow[], hidden: Hidden, at: number): boolean =>
  hidden.has(at) || ancestorIndexes(rows, at).some((each) => hidden.has(each));

/** Hides a row, or shows it with its ancestors; the siblings of a shown row stay hidden. */
export function toggleHidden(rows: readonly ProductRow[], hidden: Hidden, at: number): Hidden {
  const changed = new Set(hidden);
  if (!isHidden(rows, hidden, at)) return changed.add(at);
  const ancestors = ancestorIndexes(rows, at);
  const topHidden = ancestors.filter((each) => hidden.has(each)).at(-1) ?? at;
  changed.delete(at);
  if (topHidden === at) return changed;
  for (const each of ancestors.filter((one) => one >= topHidden)) changed.delete(each);
  for (const sibling of siblingsAlongPath(rows, at, topHidden)) changed.add(sibling);
  return changed;
}

/** Returns the set that hides everything except a row and its descendants. */
export const hiddenToIsolate = (rows: readonly ProductRow[], at: number): Hidden =>
  new Set(siblingsAlongPath(rows, at, 0));

/** The siblings of a row and of its ancestors, up to the children of `top`. */
function siblingsAlongPath(rows: readonly ProductRow[], at: number, top: number): number[] {
  const path = new Set([at, ...ancestorIndexes(rows, at)]);
  const siblings: number[] = [];
  for (const parent of path) {
    if (parent === at || parent < top) continue;
    for (let child = parent + 1; child < subtreeEnd(rows, parent); child = subtreeEnd(rows, child))
      if (!path.has(child)) siblings.push(child);
  }
  return siblings;
}
