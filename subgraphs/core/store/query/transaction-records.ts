// The records that a transaction has read by their ids or written, and its unsent writes.

import { Mutex } from 'async-mutex';
import type { ClientSession, Db } from 'mongodb';
import type { Mongo } from '../mongo.ts';
import type { CollectionName } from '../schema/collections.ts';
import { type BulkWrite, flushDeferredWrites, type Stored, transientConflict } from './deferred-writes.ts';
import type { Scope } from './scope.ts';

/** Reads the records of several keys. */
export type ReadByKeys<R> = (scope: Scope, keys: readonly string[]) => Promise<readonly R[]>;

// Resolves after the continuations of all promises that are settled now.
const nextTick = () => new Promise<void>((resolve) => void Promise.resolve().then(() => process.nextTick(resolve)));

type Options = { isShared: boolean; sendsLocks?: boolean };
type Wanted = { resolve(record: Stored | null): void; reject(error: unknown): void };

/**
 * The state of a transaction that its commands share: records by id, as of its snapshot and with the writes of finished
 * commands. Reads of one tick share a query. Writes stay in memory until `send`.
 */
export class TransactionRecords {
  readonly db: Db;
  readonly session: ClientSession;
  readonly #mongo: Mongo;
  readonly #records = new Map<CollectionName, Map<string, Stored | null>>();
  readonly #all = new Map<CollectionName, Promise<readonly Stored[]>>();
  #hasSent = false;
  readonly #queries = new Map<unknown, { keys: Set<string>; found: Promise<Map<string, unknown[]>> }>();
  readonly #wanted = new Map<CollectionName, Map<string, Wanted[]>>();
  /** Commands that run at once must not use the session at once; one command may, as it knows what it does. */
  readonly #mutex: Mutex | null;
  #unsent: BulkWrite[] = [];
  /** Writes in progress. A server may run commands of a session that arrive together in any order. */
  #sending: Promise<boolean> | null = null;
  #isClosed = false;

  /** Whether locks are sent at once: the transaction met a conflict, and would meet another one at its end. */
  readonly sendsLocks: boolean;

  constructor(mongo: Mongo, session: ClientSession, { isShared, sendsLocks = false }: Options) {
    this.db = mongo.db;
    this.session = session;
    this.sendsLocks = sendsLocks;
    this.#mongo = mongo;
    this.#mutex = isShared ? new Mutex() : null;
  }

  /** Runs a store command after those of other commands of the transaction, and after writes in progress. */
  exclusively<R>(run: () => Promise<R>): Promise<R> {
    if (!this.#mutex) return this.#sending ? this.#sending.then(run) : run();
    return this.#mutex.runExclusive(() => {
      if (this.#isClosed) throw new Error('the commands of the transaction have ended');
      return run();
    });
  }

  /** Waits for the store command in progress; later ones fail, so that no command uses the session after its end. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#mutex?.runExclusive(() => {});
  }

  /** Returns the record, or null. */
  async find(name: CollectionName, id: string): Promise<Stored | null> {
    const known = this.#records.get(name)?.get(id);
    if (known !== undefined) return known;
    if (this.#hasUnsentMany(name)) await this.send();
    if (!this.#wanted.size) void nextTick().then(() => this.#readWanted());
    const wanted = this.#wanted.get(name) ?? new Map<string, Wanted[]>();
    this.#wanted.set(name, wanted);
    return new Promise((resolve, reject) => {
      const waiting = wanted.get(id) ?? [];
      wanted.set(id, waiting);
      waiting.push({ resolve, reject });
    });
  }

  /** Returns all records of a small collection, as of the snapshot and with the writes sent so far. */
  readAll(name: CollectionName): Promise<readonly Stored[]> {
    const { session } = this;
    const reading =
      this.#all.get(name) ?? this.exclusively(() => this.db.collection<Stored>(name).find({}, { session }).toArray());
    this.#all.set(name, reading);
    return reading;
  }

  /** Returns the records that are known by their ids: as they were read, or as finished commands wrote them. */
  known(name: CollectionName): ReadonlyMap<string, Stored | null> {
    return this.#of(name);
  }

  /** Whether writes were sent before the end of the transaction. */
  get hasSent(): boolean {
    return this.#hasSent;
  }

  /**
   * Returns the records that a query finds for a key. Commands that run at once and use the same `read` in one tick share
   * the query.
   */
  async findTogether<R>(read: ReadByKeys<R>, keyOf: (record: R) => string, key: string): Promise<R[]> {
    const queries = this.#queries;
    let query = queries.get(read);
    if (!query) {
      const keys = new Set<string>();
      const found = nextTick().then(() => {
        queries.delete(read);
        const scope = { db: this.db, session: this.session };
        return this.exclusively(async () => Map.groupBy(await read(scope, [...keys]), keyOf));
      });
      query = { keys, found };
      queries.set(read, query);
    }
    query.keys.add(key);
    return ((await query.found).get(key) ?? []) as R[];
  }

  /** Takes the writes of a finished command over. */
  merge(records: ReadonlyMap<CollectionName, ReadonlyMap<string, Stored | null>>, writes: readonly BulkWrite[]): void {
    for (const [name, written] of records) for (const [id, record] of written) this.#of(name).set(id, record);
    for (const write of writes) if ('many' in write) this.forget(write.into);
    this.#unsent.push(...writes);
  }

  /** Returns the unsent writes, which the caller sends. */
  takeUnsent(): BulkWrite[] {
    const unsent = this.#unsent;
    this.#unsent = [];
    return unsent;
  }

  hasUnsent(name?: CollectionName): boolean {
    return name === undefined ? this.#unsent.length > 0 : this.#unsent.some(({ into }) => into === name);
  }

  #hasUnsentMany(name: CollectionName): boolean {
    return this.#unsent.some((write) => write.into === name && 'many' in write);
  }

  /** Sends the writes so far, so that queries find their results, or after `close` to end the transaction. */
  async send(): Promise<void> {
    const writes = this.takeUnsent();
    if (!writes.length) return;
    this.#hasSent = true;
    const scope = { db: this.db, session: this.session, services: { mongo: this.#mongo } };
    const flush = () => flushDeferredWrites(scope, writes);
    const sending = this.#isClosed ? flush() : this.exclusively(flush);
    this.#sending = sending;
    const isMatched = await sending.finally(() => {
      if (this.#sending === sending) this.#sending = null;
    });
    if (isMatched) return;
    const message = 'a record disappeared in the transaction that had read it';
    // which command wrote it is not known: as a store error, it ends the shared transaction
    throw this.#mutex ? transientConflict(message) : new Error(message);
  }

  /** Forgets the records of a collection that a query writes, so that they are read again. */
  forget(name: CollectionName): void {
    this.#records.delete(name);
    this.#all.delete(name);
  }

  #of(name: CollectionName): Map<string, Stored | null> {
    const records = this.#records.get(name) ?? new Map<string, Stored | null>();
    this.#records.set(name, records);
    return records;
  }

  #readWanted(): void {
    const wanted = [...this.#wanted];
    this.#wanted.clear();
    for (const [name, waiting] of wanted)
      this.#read(name, [...waiting.keys()]).then(
        (found) => {
          const records = this.#of(name);
          for (const [id, callers] of waiting) {
            // a command may have written it meanwhile
            const known = records.get(id);
            const record = known === undefined ? (found.get(id) ?? null) : known;
            records.set(id, record);
            for (const { resolve } of callers) resolve(record);
          }
        },
        (error: unknown) => {
          for (const callers of waiting.values()) for (const { reject } of callers) reject(error);
        },
      );
  }

  async #read(name: CollectionName, ids: readonly string[]): Promise<Map<string, Stored>> {
    const filter = ids.length === 1 ? { _id: { $eq: ids[0]! } } : { _id: { $in: [...ids] } };
    const { session } = this;
    const collection = this.db.collection<Stored>(name);
    const found = await this.exclusively(async () =>
      ids.length === 1
        ? [await collection.findOne(filter, { session })].filter((record) => record !== null)
        : collection.find(filter, { session }).toArray(),
    );
    return new Map(found.map((record) => [String(record._id), record]));
  }
}
