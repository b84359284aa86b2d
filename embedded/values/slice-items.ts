/**
 * Returns `count` items from a position; a negative position counts from the end. Without `count`: the items before the
 * position, or the last `-position` ones.
 */
export function sliceItems<T>(items: T[], position: number, count?: number): T[] {
  if (count === undefined) return position < 0 ? items.slice(position) : items.slice(0, position);
  const start = position < 0 ? Math.max(0, items.length + position) : position;
  return items.slice(start, start + count);
}
