// DataLoaders for records and lists, one query per tick. They do not read what the write of their operation stored.
import DataLoader from 'dataloader';
import { readShared } from './shared-read.ts';
import { existingIds, findAll } from './store/query/records.ts';
import type { Scope } from './store/query/scope.ts';
import type { ReadByKeys } from './store/query/transaction-records.ts';
import type { CollectionName, Records } from './store/schema/collections.ts';

/** Loads one record by id, or with `all` a list of records; null for unknown ids. */
export type RecordLoader<R> = DataLoader<string, R | null> & {
  all(ids: readonly string[]): Promise<readonly (R | null)[]>;
};

/** Creates a loader for the records of one collection. */
export function byId<N extends CollectionName>(scope: Scope, name: N): RecordLoader<Records[N]> {
  const idOf = (record: Records[N]) => String(record._id);
  const read: ReadByKeys<Records[N]> = (from, ids) => findAll(from, name, ids);
  return createRecordLoader(async (ids) => {
    const written = ids.map((id) => scope.written?.get(name, id));
    const unknown = ids.filter((_, n) => written[n] === undefined);
    const found = unknown.length ? await readShared(scope, name, read, idOf, unknown) : new Map<string, Records[N][]>();
    return ids.flatMap((id, n) => written[n] ?? found.get(id) ?? []);
  }, idOf);
}

/** A record of another subgraph, which resolves all fields but the id. */
export type Link = { id: string };

/** Creates a loader of links to records that may have been deleted: null for unknown ids, and for null. */
export function linksTo(scope: Scope, name: CollectionName): (id: string | null) => Promise<Link | null> | null {
  const loader = new DataLoader(async (ids: readonly string[]) => {
    const existing = new Set(await existingIds(scope, name, ids));
    return ids.map((id) => (existing.has(id) ? { id } : null));
  });
  return (id) => (id === null ? null : loader.load(id));
}

/**
 * Creates a loader of records. `read` returns those that exist, in any order. A list is loaded under one key, without a
 * promise for each of its records, which would dominate the cost; all lists of a tick share one query.
 */
export function createRecordLoader<R>(read: Read<R>, idOf: (record: R) => string): RecordLoader<R> {
  return new ListingLoader(read, idOf, new Map());
}

type Read<R> = (ids: readonly string[]) => Promise<readonly R[]>;
type Loaded<R> = Map<string, R | null>;

// A class, because each operation creates many loaders and uses few.
class ListingLoader<R> extends DataLoader<string, R | null> implements RecordLoader<R> {
  #single: Map<string, Promise<R | null>>;
  #listed: Loaded<R> | undefined;
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
    // reuses records that were loaded individually
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

  async #find(ids: readonly string[]): Promise<Loaded<R>> {
    const found: Loaded<R> = new Map();
    if (ids.length) for (const record of await this.#read(ids)) found.set(this.#idOf(record), record);
    return found;
  }
}

/**
 * Which records a list contains: those of a collection that belong to a record of `parent`. The list of a new parent is
 * known without a query.
 */
export type Membership<R> = { parent: CollectionName; of: CollectionName; includes?: (record: R) => boolean };

/** Creates a loader of the only or newest record of each key, null if there is none: one query for all keys. */
export function createNewestLoader<R>(
  scope: Scope,
  read: ReadByKeys<R>,
  keyOf: (record: R) => string,
  membership?: Membership<R>,
): DataLoader<string, R | null> {
  const lists = createListLoader(scope, read, keyOf, membership);
  return new DataLoader(async (keys) => (await lists.loadMany(keys)).map(newestOf));
}

function newestOf<R>(list: R[] | Error): R | null | Error {
  return list instanceof Error ? list : (list[0] ?? null);
}

/** The first page of the list of one object: its id, and the number of items. */
export type FirstPage = { id: string; limit: number };

/** Creates a loader of first pages: one query for all pages of the same size, grouped by `keyOf`. */
export function createFirstPageLoader<R>(
  read: (ids: readonly string[], limit: number) => Promise<R[]>,
  keyOf: (record: R) => string | null,
): DataLoader<FirstPage, R[], string> {
  const readPages = async (pages: readonly FirstPage[]): Promise<R[][]> => {
    const found = new Map<number, Map<string | null, R[]>>();
    for (const [limit, sameSize] of Map.groupBy(pages, ({ limit }) => limit)) {
      const ids = sameSize.map(({ id }) => id);
      found.set(limit, Map.groupBy(await read(ids, limit), keyOf));
    }
    return pages.map(({ id, limit }) => found.get(limit)?.get(id) ?? []);
  };
  return new DataLoader(readPages, { cacheKeyFn: ({ id, limit }) => `${id} ${limit}` });
}

/** Creates a loader of lists: one query for all keys of a tick, grouped by `keyOf`. */
export function createListLoader<R>(
  scope: Scope,
  read: ReadByKeys<R>,
  keyOf: (record: R) => string,
  membership?: Membership<R>,
): DataLoader<string, R[]> {
  return new DataLoader(async (keys) => {
    const known = keys.map((key) => membership && listOfNew(scope, membership, keyOf, key));
    const unknown = keys.filter((_, n) => known[n] === undefined);
    const found = unknown.length ? await readShared(scope, read, read, keyOf, unknown) : new Map<string, R[]>();
    return keys.map((key, n) => known[n] ?? found.get(key) ?? []);
  });
}

// Returns the list of a record that the write of the operation inserted, undefined for other records. A longer list has
// an order, which the query knows.
function listOfNew<R>(
  { written }: Scope,
  { parent, of, includes = () => true }: Membership<R>,
  keyOf: (record: R) => string,
  key: string,
): R[] | undefined {
  if (!written?.isNew(parent, key)) return undefined;
  const list = (written.all(of) as R[] | null)?.filter((record) => keyOf(record) === key && includes(record));
  return list && list.length > 1 ? undefined : list;
}
