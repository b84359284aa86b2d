// Sorts and paginates small lists in memory.

import {
  decodePosition,
  type Order,
  type Page,
  type PageInput,
  type PagePosition,
  type PageSizes,
  page,
  pageSize,
  resolveOrder,
} from './paging.ts';

/** A sort value: a name, or a number such as a time. */
export type SortKey = string | number;

type ListDefinition<T, S extends string> = {
  /** The name of the list, which its cursors contain. */
  list: string;
  /** The sort value for each sort name. */
  keys: Readonly<Record<S, (item: T) => SortKey>>;
  idOf(item: T): string;
  defaultOrder: Order<S>;
  /** Page sizes, if other than the defaults. */
  sizes?: PageSizes;
};

/** Returns a page of the list, sorted by key and id. Names are sorted in natural-language order. */
export function paginateInMemory<T, S extends string>(
  all: readonly T[],
  input: PageInput<S>,
  { list, keys, idOf, defaultOrder, sizes }: ListDefinition<T, S>,
): Page<T> {
  const { sort, descending } = resolveOrder(input, defaultOrder);
  const limit = pageSize(input.limit, sizes);
  const name = `${list}:${sort}:${descending}`;
  const after = decodePosition(name, input.cursor);
  const positionOf = (item: T): PagePosition => ({ value: keys[sort](item), id: idOf(item) });

  const positioned = all.map((item) => ({ item, position: positionOf(item) }));
  const direction = descending ? -1 : 1;
  const remaining = after ? positioned.filter(({ position }) => compare(position, after) * direction > 0) : positioned;
  const found = remaining.sort((a, b) => compare(a.position, b.position) * direction).map(({ item }) => item);
  const { items, nextCursor } = page(found, limit, (item) => Object.values(positionOf(item)), name);
  return { items, nextCursor, total: input.total ? all.length : null };
}

// English has the Unicode root collation; the locale `und` would use that of the machine.
const names = new Intl.Collator('en');

function compare(a: PagePosition, b: PagePosition): number {
  return compareKeys(a.value, b.value) || (a.id < b.id ? -1 : Number(a.id > b.id));
}

function compareKeys(a: SortKey, b: SortKey): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : names.compare(String(a), String(b));
}
