// Lists that are read whole because there is little in them, sorted and cut into pages in memory.
import {
  type Order,
  resolveOrder,
  type Page,
  type PageInput,
  type PagePosition,
  page,
  pageSize,
  decodePosition,
} from './paging.ts';

/** What a list is sorted by: names or moments. */
export type SortKey = string | number;

type Whole<T, S extends string> = {
  /** Names the list, so that a cursor fits only where it came from. */
  list: string;
  /** What each name of an order sorts by. */
  keys: Readonly<Record<S, (item: T) => SortKey>>;
  idOf(item: T): string;
  usual: Order<S>;
  /** How many a page holds, if the list has its own sizes. */
  sizes?: { usual: number; most: number };
};

/** A page of a list that was read whole: sorted by key and id, names as people sort them. */
export function paginateInMemory<T, S extends string>(
  all: readonly T[],
  input: PageInput<S>,
  { list, keys, idOf, usual, sizes }: Whole<T, S>,
): Page<T> {
  const { sort, descending } = resolveOrder(input, usual);
  const limit = pageSize(input.limit, sizes);
  const name = `${list}:${sort}:${descending}`;
  const after = decodePosition(name, input.cursor);
  const placeOf = (item: T): PagePosition => ({ value: keys[sort](item), id: idOf(item) });

  const placed = all.map((item) => ({ item, place: placeOf(item) }));
  const direction = descending ? -1 : 1;
  const later = after ? placed.filter(({ place }) => compare(place, after) * direction > 0) : placed;
  const found = later.sort((a, b) => compare(a.place, b.place) * direction).map(({ item }) => item);
  const { items, nextCursor } = page(found, limit, (item) => Object.values(placeOf(item)), name);
  return { items, nextCursor, total: input.total ? all.length : null };
}

// the root order, which English has; the locale `und` would be the machine's
const names = new Intl.Collator('en');

function compare(a: PagePosition, b: PagePosition): number {
  return compareKeys(a.value, b.value) || (a.id < b.id ? -1 : Number(a.id > b.id));
}

function compareKeys(a: SortKey, b: SortKey): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : names.compare(String(a), String(b));
}
