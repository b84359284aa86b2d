// Lists that come in the order of an index, page by page.
import type { Filter, Sort } from 'mongodb';

/** A part of a list: where it begins, which way it goes and how long it is. */
export type Window = { descending: boolean; limit: number; after?: { value: string | number | Date; id: string } };

/** A place whose value is a moment, as milliseconds. */
export function atMoment(place: { value: string | number; id: string } | undefined): Window['after'] {
  return place && { value: new Date(place.value), id: place.id };
}

/** The condition that a record comes after a place in the order of a field and the id; the first half bounds what is read of the index. */
export function beyond<R>(
  field: keyof R & string,
  { descending, after }: Pick<Window, 'descending' | 'after'>,
): Filter<R>[] {
  if (!after) return [];
  const [further, upTo] = descending ? ['$lt', '$lte'] : ['$gt', '$gte'];
  const bound = { [field]: { [upTo]: after.value } };
  return [bound, { $or: [{ [field]: { [further]: after.value } }, { _id: { [further]: after.id } }] }] as Filter<R>[];
}

/** The order of a field and the id. */
export function inOrder(field: string, { descending }: Pick<Window, 'descending'>): Sort {
  const direction = descending ? -1 : 1;
  return { [field]: direction, _id: direction };
}

/** All of some conditions. */
export function allOf<R>(conditions: readonly Filter<R>[]): Filter<R> {
  const some = conditions.filter((condition) => Object.keys(condition).length > 0);
  return some.length > 1 ? ({ $and: some } as Filter<R>) : (some[0] ?? {});
}
