// Arbitraries of whole commands.
import { Int32 } from 'bson';
import fc from 'fast-check';
import { type Doc, isDocument, type Value } from '../values/bson.ts';
import { anyFilter, anyProjection, anySort, anyUpdate, plainValue } from './arbitrary-commands.ts';

const constant = <T>(...items: [T, ...T[]]): fc.Arbitrary<T> => fc.constantFrom(...items);
const byId = { _id: new Int32(1) };

// Updates with array filters.
const filtered: fc.Arbitrary<Doc> = fc
  .tuple(
    constant<Doc>(
      { e: { $gt: new Int32(1) } },
      { e: 'a' },
      { 'e.b': { $exists: true } },
      { $or: [{ e: null }, { e: 'b' }] },
    ),
    plainValue,
    constant('a.$[e]', 'a.$[e].b'),
  )
  .map(([condition, value, path]) => ({ query: {}, update: { $set: { [path]: value } }, arrayFilters: [condition] }));
const ordinary: fc.Arbitrary<Doc> = fc.tuple(anyFilter, anyUpdate).map(([query, update]) => ({ query, update }));

const change = fc.oneof({ arbitrary: ordinary, weight: 4 }, { arbitrary: filtered, weight: 1 });

/** Write commands without their collection, on the first document in the order of _id or on all that match. */
export const anyWrite: fc.Arbitrary<Doc> = fc.oneof(
  {
    arbitrary: fc
      .tuple(change, constant(true, false), constant(true, false))
      .map(([given, upsert, isNew]): Doc => ({ command: 'findAndModify', ...given, upsert, new: isNew, sort: byId })),
    weight: 3,
  },
  {
    arbitrary: fc.tuple(change, constant(true, false, false)).map(([{ query, update, ...filters }, upsert]): Doc => {
      // A replacement is allowed only for a single document.
      if (isDocument(update) && !Object.keys(update)[0]?.startsWith('$'))
        return { command: 'findAndModify', query, update, upsert, sort: byId };
      return { command: 'update', updates: [{ q: query, u: update, ...filters, upsert, multi: true }] };
    }),
    weight: 3,
  },
  {
    arbitrary: anyFilter.map((query): Doc => ({ command: 'findAndModify', query, remove: true, sort: byId })),
    weight: 1,
  },
  { arbitrary: anyFilter.map((q): Doc => ({ command: 'delete', deletes: [{ q, limit: new Int32(0) }] })), weight: 1 },
);

/** Read commands without their collection, with all options of find. */
export const anyRead: fc.Arbitrary<Doc> = fc.oneof(
  {
    arbitrary: fc
      .record(
        {
          filter: anyFilter,
          sort: anySort,
          projection: anyProjection,
          skip: constant<Value>(new Int32(0), new Int32(1)),
          limit: constant<Value>(new Int32(1), new Int32(3)),
          collation: constant(
            { locale: 'en', strength: new Int32(2) },
            { locale: 'de', strength: new Int32(1) },
            { locale: 'simple' },
          ),
        },
        { requiredKeys: ['filter', 'sort'] },
      )
      .map((fields): Doc => ({ command: 'find', ...fields })),
    weight: 4,
  },
  { arbitrary: anyFilter.map((query): Doc => ({ command: 'count', query })), weight: 1 },
  {
    arbitrary: fc
      .tuple(constant('a', 'b.c', 'a.b', 'a.0'), anyFilter)
      .map(([key, query]): Doc => ({ command: 'distinct', key, query })),
    weight: 1,
  },
);
