// The records that a write stored, from which its response is built.
import type { CollectionName, Records } from '../schema/collections.ts';
import type { Stored } from './deferred-writes.ts';

/** A record after a write, null if it was deleted. `isNew`: the write inserted it. */
export type Written = { name: CollectionName; id: string; record: Stored | null; isNew: boolean };

/** Records as a write stored them. */
export class WrittenRecords {
  readonly #records = new Map<CollectionName, Map<string, Written>>();
  readonly #isUnknown: ((name: CollectionName) => boolean)[] = [];

  /** `isUnknown`: whether the write stored or deleted other records of a collection too. */
  add(records: Iterable<Written>, isUnknown: (name: CollectionName) => boolean): void {
    this.#isUnknown.push(isUnknown);
    for (const written of records) {
      const ofCollection = this.#records.get(written.name) ?? new Map<string, Written>();
      this.#records.set(written.name, ofCollection.set(written.id, written));
    }
  }

  /** Returns the record; null if it was deleted, undefined if the write did not store it. */
  get<N extends CollectionName>(name: N, id: string): Records[N] | null | undefined {
    return this.#records.get(name)?.get(id)?.record as Records[N] | null | undefined;
  }

  isNew(name: CollectionName, id: string): boolean {
    return this.#records.get(name)?.get(id)?.isNew === true;
  }

  /** Returns all records of a collection that the write stored and did not delete; null if not all are known. */
  all(name: CollectionName): Stored[] | null {
    if (this.#isUnknown.some((isUnknown) => isUnknown(name))) return null;
    return [...(this.#records.get(name)?.values() ?? [])].flatMap(({ record }) => record ?? []);
  }
}
