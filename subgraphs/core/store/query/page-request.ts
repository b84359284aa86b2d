// Pages of lists that are sorted by an indexed field and the id.
import type { Filter, Sort } from 'mongodb';

/** A page of a list: after which position it starts (absent: at the start), its direction and its length. */
export type PageRequest = { descending: boolean; limit: number; after?: { value: string | number | Date; id: string } };

/** Returns a cursor position with its milliseconds as a Date. */
export function datePosition(position: { value: string | number; id: string } | undefined): PageRequest['after'] {
  return position && { value: new Date(position.value), id: position.id };
}

/** Returns the conditions for records after a position. The first one only bounds what is read of the index. */
export function startAfter<R>(
  field: keyof R & string,
  { descending, after }: Pick<PageRequest, 'descending' | 'after'>,
): Filter<R>[] {
  if (!after) return [];
  const [beyond, atOrBeyond] = descending ? ['$lt', '$lte'] : ['$gt', '$gte'];
  const bound = { [field]: { [atOrBeyond]: after.value } };
  return [bound, { $or: [{ [field]: { [beyond]: after.value } }, { _id: { [beyond]: after.id } }] }] as Filter<R>[];
}

/** Returns the sort order by a field and the id. */
export function sortOrder(field: string, { descending }: Pick<PageRequest, 'descending'>): Sort {
  const direction = descending ? -1 : 1;
  return { [field]: direction, _id: direction };
}

/** Combines conditions with AND. */
export function allOf<R>(conditions: readonly Filter<R>[]): Filter<R> {
  const combined = conditions.filter((condition) => Object.keys(condition).length > 0);
  return combined.length > 1 ? ({ $and: combined } as Filter<R>) : (combined[0] ?? {});
}
