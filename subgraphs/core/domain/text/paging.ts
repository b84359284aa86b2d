// Page sizes and cursors of lists.

import { refuse } from '../errors.ts';

/** The default and maximum number of items on a page. */
export type PageSizes = { default: number; max: number };

const PAGE_SIZES: PageSizes = { default: 50, max: 200 };

/**
 * Returns the page size for a requested limit. Throws `validation_failed` unless the limit is an integer from 1 to the
 * maximum.
 */
export function pageSize(limit: number | null | undefined, sizes: PageSizes = PAGE_SIZES): number {
  if (limit === null || limit === undefined) return sizes.default;
  if (!Number.isInteger(limit) || limit < 1 || limit > sizes.max) {
    const message = `must be an integer from 1 to ${sizes.max}`;
    refuse('validation_failed', `limit ${message}.`, { errors: [{ path: '/limit', message }] });
  }
  return limit;
}

/** Encodes a position as an opaque cursor. `list` names the list and its order: the cursor is valid for these only. */
export function encodeCursor(list: string, position: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify([list, ...position])).toString('base64url');
}

/** Returns the position in a cursor of this list, undefined without a cursor. Throws `bad_cursor`. */
export function decodeCursor(list: string, cursor: string | null | undefined): (string | number)[] | undefined {
  if (cursor === null || cursor === undefined) return undefined;
  const [cursorList, ...position] = parseCursor(cursor);
  if (cursorList !== list || !position.every((part) => typeof part === 'string' || typeof part === 'number'))
    refuseCursor();
  return position as (string | number)[];
}

function refuseCursor(): never {
  return refuse('bad_cursor', 'The cursor is not valid for this list in this order. Start again without a cursor.');
}

function parseCursor(cursor: string): unknown[] {
  try {
    const value = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

/** The arguments of a paginated list; S are its sort names. */
export type PageInput<S extends string = never> = {
  sort?: S | null;
  descending?: boolean | null;
  limit?: number | null;
  cursor?: string | null;
  total?: boolean | null;
};
/** A page. `total` is the number of items on all pages, null unless requested. */
export type Page<T> = { items: T[]; nextCursor: string | null; total: number | null };
/** The sort name and direction of a list. */
export type Order<S extends string> = { sort: S; descending: boolean };
/** The position of a record in a sorted list: its sort value, and its id to order equal values. */
export type PagePosition = { value: string | number; id: string };

/** Returns the requested order. Defaults to the order of the list, or to ascending if only a sort name is requested. */
export function resolveOrder<S extends string>({ sort, descending }: PageInput<S>, defaultOrder: Order<S>): Order<S> {
  return { sort: sort ?? defaultOrder.sort, descending: descending ?? (sort ? false : defaultOrder.descending) };
}

/** Returns the position in a cursor of a sorted list, undefined without a cursor. Throws `bad_cursor`. */
export function decodePosition(list: string, cursor: string | null | undefined): PagePosition | undefined {
  const position = decodeCursor(list, cursor);
  if (!position) return undefined;
  const [value, id] = position;
  if (value === undefined || typeof id !== 'string') return refuseCursor();
  return { value, id };
}

/** Cuts the first `limit` records into a page. `found` has one more record if there is another page. */
export function page<T>(
  found: T[],
  limit: number,
  positionOf: (record: T) => readonly (string | number)[],
  list: string,
): { items: T[]; nextCursor: string | null } {
  const items = found.slice(0, limit);
  const last = items.at(-1);
  const hasMore = found.length > limit && last !== undefined;
  return { items, nextCursor: hasMore ? encodeCursor(list, positionOf(last)) : null };
}
