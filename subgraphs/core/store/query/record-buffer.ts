// The writes of one command, which stay in memory until the end of its transaction.
import type { Collection, Document } from 'mongodb';
import type { CollectionName } from '../schema/collections.ts';
import type { BulkWrite, Stored } from './deferred-writes.ts';
import { queryAfter } from './query-after.ts';
import type { ReadByKeys, TransactionRecords } from './transaction-records.ts';
import type { Written } from './written-records.ts';

/** Thrown in a command that shares a transaction with commands of other requests, if it must run again. */
export class RunAgain extends Error {
  /** Whether it needs a transaction of its own; otherwise it can run after the others in the same transaction. */
  readonly alone: boolean;
  constructor(message: string, { alone }: { alone: boolean }) {
    super(message);
    this.alone = alone;
  }
}

/**
 * How a command shares its transaction. `alone`: not at all. `at once`: with others that run at the same time and must
 * not write the same records. `in turn`: it sees what others, which have ended, wrote.
 */
export type Sharing = 'alone' | 'at once' | 'in turn';

/** `base`: the record before its unsent update. */
type Entry = { record: Stored | null; base?: Stored | undefined; write: BulkWrite | null; isNew: boolean };

/**
 * Reads and writes records by id. Reads see the writes of the command; a query in a collection that it has written sends
 * them first.
 */
export class RecordBuffer {
  readonly #shared: TransactionRecords;
  readonly #sharing: Sharing;
  readonly #owners: Map<string, RecordBuffer>;
  readonly #entries = new Map<CollectionName, Map<string, Entry>>();
  /** The collections of which the command wrote records that it did not read by id. */
  readonly #unknown = new Set<CollectionName>();
  #unsent: BulkWrite[] = [];
  #runAgain: RunAgain | null = null;

  /** `owners`: which of the commands that run at once writes a record. */
  constructor(shared: TransactionRecords, sharing: Sharing, owners = new Map<string, RecordBuffer>()) {
    this.#shared = shared;
    this.#sharing = sharing;
    this.#owners = owners;
  }

  /** Returns the record, or null. The caller may change the returned object. */
  async find(name: CollectionName, id: string): Promise<Stored | null> {
    this.#assertRunning();
    if (this.#hasUnsentMany(name)) await this.#send(name);
    const entry = this.#entries.get(name)?.get(id);
    const record = entry ? entry.record : await this.#shared.find(name, id);
    return record && { ...record };
  }

  /** Returns all records of a small collection as of the snapshot, without the writes of the transaction. */
  readAll(name: CollectionName): Promise<readonly Stored[]> {
    this.#assertRunning();
    return this.#shared.readAll(name);
  }

  /** Returns the records that the transaction read by id or wrote up to now, by id; null if there is none. */
  *known(name: CollectionName): Generator<readonly [string, Stored | null]> {
    yield* this.#shared.known(name);
    for (const [id, { record }] of this.#entries.get(name) ?? []) yield [id, record];
  }

  /** Whether writes were sent before the end of the transaction, so that queries find what is not on disk yet. */
  get hasSent(): boolean {
    return this.#shared.hasSent;
  }

  /** Returns the records that `read` finds in a collection for a key. Sends the unsent writes of the collection first. */
  async findTogether<R>(
    name: CollectionName,
    read: ReadByKeys<R>,
    keyOf: (record: R) => string,
    key: string,
  ): Promise<R[]> {
    this.#assertRunning();
    await this.#sendWrites(name, false);
    return this.#shared.findTogether(read, keyOf, key);
  }

  insert(name: CollectionName, record: Stored): void {
    const document = { ...record, ...nullsFor(record) };
    this.#write(name, String(record._id), { record: document, write: { into: name, document }, isNew: true });
  }

  /** Sets fields of a record that exists, and adds to its `lock`. Returns the updated record. */
  update(name: CollectionName, before: Stored, fields: Document, locks = 0): Stored {
    if (!locks && !Object.keys(fields).length) return { ...before };
    const id = String(before._id);
    const { write = null, base = before, isNew = false } = this.#entries.get(name)?.get(id) ?? {};
    if (write && 'document' in write) {
      write.document = updated(write.document, nullsFor(fields), locks);
      this.#write(name, id, { record: write.document, write, isNew });
      return { ...write.document };
    }
    // one update for all changes since the record was read or sent
    const update: BulkWrite & { update: Document } =
      write && 'update' in write ? write : { into: name, filter: { _id: { $eq: before._id } }, update: {} };
    const set = { ...update.update.$set, ...nullsFor(fields) };
    const inc = (update.update.$inc?.lock ?? 0) + locks;
    update.update = updateOf(set, inc);
    const record = updated(base, set, inc);
    this.#write(name, id, { record, base, write: update, isNew });
    return { ...record };
  }

  /** Adds to the `lock` of a record that exists. Returns the updated record. */
  async lock(name: CollectionName, before: Stored): Promise<Stored> {
    const locked = this.update(name, before, {}, 1);
    if (this.#shared.sendsLocks) await this.#send(name);
    return locked;
  }

  remove(name: CollectionName, before: Stored): void {
    const write = { into: name, filter: { _id: { $eq: before._id } }, remove: true } as const;
    this.#write(name, String(before._id), { record: null, write, isNew: false });
  }

  /** Adds a write of many records that are not read by id, in its order among the others. */
  add(write: BulkWrite): void {
    this.#assertRunning();
    this.#entries.delete(write.into);
    this.#unknown.add(write.into);
    this.#unsent.push(write);
  }

  /** Returns the collection for a query. It runs after the unsent writes of the collection were sent. */
  collection(name: CollectionName, collection: Collection): Collection {
    this.#assertRunning();
    return queryAfter(collection, {
      run: (isWrite, scansOthers, query) => this.#query(name, { isWrite, scansOthers }, query),
    });
  }

  async #query<R>(
    name: CollectionName,
    { isWrite, scansOthers }: { isWrite: boolean; scansOthers: boolean },
    query: () => Promise<R>,
  ): Promise<R> {
    this.#assertRunning();
    if (isWrite) this.assertAlone(`a query writes ${name}`);
    await this.#sendWrites(name, scansOthers);
    const result = await this.#shared.exclusively(query);
    if (isWrite) {
      this.#entries.delete(name);
      this.#unknown.add(name);
      this.#shared.forget(name);
    }
    return result;
  }

  // Sends the writes that a query of the collection has to see.
  async #sendWrites(name: CollectionName, scansOthers: boolean): Promise<void> {
    if (this.#unsent.some(({ into }) => scansOthers || into === name)) await this.#send(name);
    else if (this.#shared.hasUnsent(scansOthers ? undefined : name)) await this.#shared.send();
  }

  async #send(name: CollectionName): Promise<void> {
    this.assertAlone(`the writes of ${name} are sent before the end`);
    this.end();
    await this.#shared.send();
  }

  #hasUnsentMany(name: CollectionName): boolean {
    return this.#unsent.some((write) => write.into === name && 'many' in write);
  }

  /** Throws RunAgain in a shared transaction. */
  assertAlone(reason: string): void {
    if (this.#sharing !== 'alone') this.#requireRunAgain(reason, { alone: true });
  }

  /** Hands the writes over to the transaction, which sends them. */
  end(): void {
    const written = new Map(
      [...this.#entries].map(([name, entries]) => [
        name,
        new Map([...entries].map(([id, { record }]) => [id, record] as const)),
      ]),
    );
    this.#shared.merge(written, this.#unsent);
    this.#unsent = [];
    for (const entries of this.#entries.values())
      for (const entry of entries.values()) Object.assign(entry, { base: undefined, write: null });
  }

  /** Makes further reads and writes fail, because the command has failed or runs again elsewhere. */
  abandon(): void {
    this.#runAgain ??= new RunAgain('the command has ended or took too long', { alone: true });
  }

  /** How the command must run again, even if it caught the error that says so; null if it need not. */
  get runAgain(): RunAgain | null {
    return this.#runAgain;
  }

  /** Returns whether the command wrote records of the collection that `written` does not return. */
  hasUnknown(name: CollectionName): boolean {
    return this.#unknown.has(name);
  }

  /** Returns the records that the command wrote, as they are after it. */
  written(): Written[] {
    return [...this.#entries].flatMap(([name, entries]) =>
      [...entries].map(([id, { record, isNew }]) => ({ name, id, record, isNew })),
    );
  }

  #write(name: CollectionName, id: string, entry: Entry & { write: BulkWrite }): void {
    this.#assertRunning();
    this.own(name, id);
    const entries = this.#entries.get(name) ?? new Map<string, Entry>();
    this.#entries.set(name, entries);
    if (entries.get(id)?.write !== entry.write) this.#unsent.push(entry.write);
    entries.set(id, entry);
  }

  /** Declares that the command writes a record. Of two that run at once and do so, the second runs after the first. */
  own(name: CollectionName, id: string): void {
    if (this.#sharing !== 'at once') return;
    const key = `${name}/${id}`;
    const owner = this.#owners.get(key);
    if (owner && owner !== this) this.#requireRunAgain(`another command writes ${key}`, { alone: false });
    this.#owners.set(key, this);
  }

  #requireRunAgain(reason: string, how: { alone: boolean }): never {
    this.#runAgain ??= new RunAgain(reason, how);
    throw this.#runAgain;
  }

  #assertRunning(): void {
    if (this.#runAgain) throw this.#runAgain;
  }
}

// Returns the record as an update leaves it: the store appends new fields in the order of their names.
function updated(record: Stored, set: Document, locks: number): Stored {
  const added = Object.keys(set)
    .filter((field) => !Object.hasOwn(record, field))
    .sort();
  const lock = locks ? { lock: record.lock + locks } : {};
  return { ...record, ...Object.fromEntries(added.map((field) => [field, null])), ...set, ...lock };
}

// The driver stores null for undefined.
function nullsFor(fields: Document): Document {
  const undefinedFields = Object.keys(fields).filter((field) => fields[field] === undefined);
  return undefinedFields.length
    ? { ...fields, ...Object.fromEntries(undefinedFields.map((field) => [field, null])) }
    : fields;
}

// Sorted, because some servers append new fields in the order of the update instead of that of their names.
function updateOf(fields: Document, locks: number): Document {
  const names = Object.keys(fields).sort();
  return {
    ...(names.length ? { $set: Object.fromEntries(names.map((name) => [name, fields[name]])) } : {}),
    ...(locks ? { $inc: { lock: locks } } : {}),
  };
}
