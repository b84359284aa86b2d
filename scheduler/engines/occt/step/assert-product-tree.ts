import { fail } from '../job-failure.ts';
import { LIMITS, sanitizeName } from '../limits.ts';

/**
 * Throws JobFailure `cycle`, `too_deep` or `too_many_occurrences` for invalid product trees. Visits each product once
 * without expanding: 41 products can expand to 2^40 occurrences.
 */
export function assertProductTree<Product extends { name: string }>(
  roots: Product[],
  childrenOf: (product: Product) => Product[],
): void {
  const done = new Map<Product, { count: number; height: number }>();
  const open = new Set<Product>();
  const visit = (product: Product, depth: number): { count: number; height: number } => {
    if (open.has(product)) fail('cycle', `assembly contains itself: ${sanitizeName(product.name)}`);
    const known = done.get(product);
    if (depth + (known?.height ?? 0) > LIMITS.depth)
      fail('too_deep', `assembly is nested more than ${LIMITS.depth} levels deep`);
    if (known) return known;
    open.add(product);
    const below = childrenOf(product).map((child) => visit(child, depth + 1));
    open.delete(product);
    const measured = {
      count: countOf(below) + 1,
      height: below.reduce((height, child) => Math.max(height, child.height + 1), 0),
    };
    done.set(product, measured);
    return measured;
  };
  countOf(roots.map((root) => visit(root, 0)));
}

function countOf(parts: { count: number }[]): number {
  const count = parts.reduce((sum, part) => sum + part.count, 0);
  if (count > LIMITS.occurrences)
    fail('too_many_occurrences', `assembly expands to more than ${LIMITS.occurrences} occurrences`);
  return count;
}
