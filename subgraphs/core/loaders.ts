import DataLoader from 'dataloader';
import { findAll } from './store/query/records.ts';
import type { Scope } from './store/query/scope.ts';
import type { CollectionName, Records } from './store/schema/collections.ts';

/** Loads one record by its id, or with `all` a whole list of them; null for an id that nothing has. */
export type RecordLoader<R> = DataLoader<string, R | null> & {
  all(ids: readonly string[]): Promise<readonly (R | null)[]>;
};

/** A loader that reads records of one collection by id, in one query per tick; unknown ids are null. */
export function byId<N extends CollectionName>(scope: Scope, name: N): RecordLoader<Records[N]> {
  return recordLoader(
    (ids) => findAll(scope, name, ids),
    (record) => String(record._id),
  );
}

/**
 * Makes a loader of records that `read` finds, those that are there, in any order. A list is one key, its ids read in one query with those of the other
 * lists of the tick: for a record of a list there is no promise, which would cost more than all else that is done for it.
 */
export function recordLoader<R>(read: Read<R>, idOf: (record: R) => string): RecordLoader<R> {
  return new ListingLoader(read, idOf, new Map());
}

type Read<R> = (ids: readonly string[]) => Promise<readonly R[]>;
type Known<R> = Map<string, R | null>;

// A class, as an operation makes many loaders and uses few of them.
class ListingLoader<R> extends DataLoader<string, R | null> implements RecordLoader<R> {
  #single: Map<string, Promise<R | null>>;
  #listed: Known<R> | undefined;
  #lists: DataLoader<readonly string[], readonly (R | null)[]> | undefined;
  #read: Read<R>;
  #idOf: (record: R) => string;

  constructor(read: Read<R>, idOf: (record: R) => string, single: Map<string, Promise<R | null>>) {
    super((ids) => this.#readSingle(ids), { cacheMap: single });
    this.#single = single;
    this.#read = read;
    this.#idOf = idOf;
  }

  all(ids: readonly string[]): Promise<readonly (R | null)[]> {
    // what was asked for by itself is not read again
    if (this.#single.size && ids.some((id) => this.#single.has(id))) return Promise.all(ids.map((id) => this.load(id)));
    this.#lists ??= new DataLoader((lists) => this.#readLists(lists), { cache: false });
    return this.#lists.load(ids);
  }

  async #readSingle(ids: readonly string[]): Promise<(R | null)[]> {
    const listed = this.#listed;
    const found = await this.#find(listed ? ids.filter((id) => !listed.has(id)) : ids);
    return ids.map((id) => found.get(id) ?? listed?.get(id) ?? null);
  }

  async #readLists(lists: readonly (readonly string[])[]): Promise<(readonly (R | null)[])[]> {
    this.#listed ??= new Map();
    const listed = this.#listed;
    const unknown = new Set<string>();
    for (const ids of lists) for (const id of ids) if (!listed.has(id)) unknown.add(id);
    const found = await this.#find([...unknown]);
    for (const id of unknown) listed.set(id, found.get(id) ?? null);
    return lists.map((ids) => ids.map((id) => listed.get(id) ?? null));
  }

  async #find(ids: readonly string[]): Promise<Known<R>> {
    const found: Known<R> = new Map();
    if (ids.length) for (const record of await this.#read(ids)) found.set(this.#idOf(record), record);
    return found;
  }
}

/** A loader of lists: one query for all keys of a tick, grouped by the key that `keyOf` finds in each record. */
export function listsBy<R>(
  read: (keys: readonly string[]) => Promise<R[]>,
  keyOf: (record: R) => string,
): DataLoader<string, R[]> {
  return new DataLoader(async (keys) => {
    const groups = Map.groupBy(await read(keys), keyOf);
    return keys.map((key) => groups.get(key) ?? []);
  });
}
