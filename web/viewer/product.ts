// What a model consists of, as the tree beside the picture shows it: names, how often, what is hidden. No part of it knows how it is drawn.
import { above, endOf, type Levelled } from '../ui/tree-rows.ts';

/** A node of the model; `id` is its place in the list. `parts`: bodies in it, itself included; `triangles` of all of them. */
export type ProductRow = Levelled & { id: number; name: string; product: string; parts: number; triangles: number };

/** `product`: the name of the part placed here, where the file tells it. */
export type ProductNode = {
  name: string;
  product?: string;
  triangles: number;
  bodies: number;
  children: readonly ProductNode[];
};

/** The tree as a list, depth first. */
export function productRows(root: ProductNode): ProductRow[] {
  const rows: ProductRow[] = [];
  const walk = (node: ProductNode, level: number): ProductRow => {
    const { name, product } = namesOf(node);
    const row = { id: rows.length, level, name, product, parts: node.bodies, triangles: node.triangles };
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

/** A place has a name of its own, "left", and is one of a part, "bracket"; often the first says the second already: "BRACKET::1". */
function namesOf(node: ProductNode): { name: string; product: string } {
  const product = node.product?.trim() ?? '';
  const name = node.name.trim() || product || 'Unnamed';
  return { name, product: name.toLowerCase().includes(product.toLowerCase()) ? '' : product };
}

export type Hidden = ReadonlySet<number>;

/** Whether a row is not drawn: it, or something it lies in, is hidden. */
export const isHidden = (rows: readonly ProductRow[], hidden: Hidden, at: number): boolean =>
  hidden.has(at) || above(rows, at).some((each) => hidden.has(each));

/** Hides a row, or shows it: then with what it lies in, while what stood beside it stays hidden. */
export function toggleHidden(rows: readonly ProductRow[], hidden: Hidden, at: number): Hidden {
  const changed = new Set(hidden);
  if (!isHidden(rows, hidden, at)) return changed.add(at);
  const around = above(rows, at);
  const covering = around.filter((each) => hidden.has(each)).at(-1) ?? at;
  changed.delete(at);
  if (covering === at) return changed;
  for (const each of around.filter((one) => one >= covering)) changed.delete(each);
  for (const beside of besides(rows, at, covering)) changed.add(beside);
  return changed;
}

/** Hides everything but a row and what lies in it. */
export const isolated = (rows: readonly ProductRow[], at: number): Hidden => new Set(besides(rows, at, 0));

/** What lies beside a row, and beside what it lies in, up to the children of `top`. */
function besides(rows: readonly ProductRow[], at: number, top: number): number[] {
  const path = new Set([at, ...above(rows, at)]);
  const beside: number[] = [];
  for (const parent of path) {
    if (parent === at || parent < top) continue;
    for (let child = parent + 1; child < endOf(rows, parent); child = endOf(rows, child))
      if (!path.has(child)) beside.push(child);
  }
  return beside;
}
