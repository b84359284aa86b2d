import { refuse } from '../errors.ts';

const SIZES = { usual: 50, most: 200 };

/** The page size: 1 to 200, 50 when left out, unless the list has sizes of its own; refuses anything else. */
export function pageSize(
  limit: number | null | undefined,
  { usual, most }: { usual: number; most: number } = SIZES,
): number {
  if (limit === null || limit === undefined) return usual;
  if (!Number.isInteger(limit) || limit < 1 || limit > most)
    refuse('validation_failed', `limit must be a whole number from 1 to ${most}.`, {
      errors: [{ path: '/limit', message: `must be from 1 to ${most}` }],
    });
  return limit;
}

/** A place in a list as an opaque text. `list` names the list and its order, so that a cursor fits only where it came from. */
export function encodeCursor(list: string, place: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify([list, ...place])).toString('base64url');
}

/** The place in a cursor of this list; undefined without a cursor. Refuses with `bad_cursor`. */
export function decodeCursor(list: string, cursor: string | null | undefined): (string | number)[] | undefined {
  if (cursor === null || cursor === undefined) return undefined;
  const [of, ...place] = parsed(cursor);
  if (of !== list || !place.every((part) => typeof part === 'string' || typeof part === 'number')) refuseCursor();
  return place as (string | number)[];
}

function refuseCursor(): never {
  return refuse(
    'bad_cursor',
    'The cursor is not one that this list with this order handed out. Start again without it.',
  );
}

function parsed(cursor: string): unknown[] {
  try {
    const value = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

/** How a page of a list is asked for; S are the names that it can be sorted by. */
export type PageInput<S extends string = never> = {
  sort?: S | null;
  descending?: boolean | null;
  limit?: number | null;
  cursor?: string | null;
  total?: boolean | null;
};
/** A page; `total` is what is on all pages, null unless it was asked for. */
export type Page<T> = { items: T[]; nextCursor: string | null; total: number | null };
/** What a list is sorted by, and which way. */
export type Order<S extends string> = { sort: S; descending: boolean };
/** The place of a record in a sorted list: what it is sorted by, and the id that decides between equals. */
export type PagePosition = { value: string | number; id: string };

/** The order that is asked for: the list's usual one when nothing is said, rising when only a name is. */
export function resolveOrder<S extends string>({ sort, descending }: PageInput<S>, usual: Order<S>): Order<S> {
  return { sort: sort ?? usual.sort, descending: descending ?? (sort ? false : usual.descending) };
}

/** The place in a cursor of a sorted list; undefined without a cursor. Refuses with `bad_cursor`. */
export function decodePosition(list: string, cursor: string | null | undefined): PagePosition | undefined {
  const place = decodeCursor(list, cursor);
  if (!place) return undefined;
  const [value, id] = place;
  if (value === undefined || typeof id !== 'string') return refuseCursor();
  return { value, id };
}

/** A page of records read one longer than it is: the items, and whether there are more. */
export function page<T>(
  found: T[],
  limit: number,
  placeOf: (record: T) => readonly (string | number)[],
  list: string,
): { items: T[]; nextCursor: string | null } {
  const items = found.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: found.length > limit && last !== undefined ? encodeCursor(list, placeOf(last)) : null };
}
