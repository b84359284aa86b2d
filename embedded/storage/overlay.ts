// The view of a transaction.

import { noSuchTransaction, storeError, writeConflict } from '../protocol/errors.ts';
import { LIMITS } from '../protocol/limits.ts';
import { mergeWrites, type Write } from './merge.ts';
import { createSortedKeys } from './sorted-keys.ts';
import type { Storage } from './storage.ts';
import type { WriteView } from './view.ts';

/** A snapshot of the transaction's start with the transaction's own writes on top. Nothing is stored before `apply`. */
export type Overlay = WriteView & {
  readonly empty: boolean;
  /** Runs in a storage write. Throws WriteConflict (112) if a claimed key has changed since the snapshot. */
  apply(live: WriteView): void;
  /** Discards the writes and releases the snapshot and the locked keys. */
  release(): void;
};

/** The owner of each locked key; a key is its bytes as a latin1 string. */
export type KeyOwners<Owner> = Map<string, Owner>;

type Claim = { key: Buffer; base: Buffer | undefined };

export function openOverlay<Owner>(storage: Storage, keyOwners: KeyOwners<Owner>, owner: Owner): Overlay {
  const snapshot = storage.snapshot();
  const writes = new Map<string, Write>();
  const claims = new Map<string, Claim>();
  const marks: [Buffer, Buffer][] = [];
  const effects: [() => void, () => void][] = [];
  const touched = new Map<{ schemaVersion: number }, number>();
  const order = createSortedKeys();
  let bytes = 0;
  let released = false;
  // Consecutive calls often use the same key: a document is read, claimed and then written.
  let lastName: { key: Buffer; name: string } | undefined;
  let lastRead: { name: string; value: Buffer | undefined } | undefined;

  function nameOf(key: Buffer): string {
    if (lastName?.key !== key) lastName = { key, name: key.toString('latin1') };
    return lastName.name;
  }

  function baseOf(key: Buffer, name: string): Buffer | undefined {
    if (lastRead?.name !== name) lastRead = { name, value: snapshot.get(key) };
    return lastRead.value;
  }

  // A command that still runs when its transaction is aborted must not read another state of the data.
  function checkOpen(): void {
    if (released) throw noSuchTransaction('The transaction was ended while one of its commands ran.');
  }

  function claim(key: Buffer): void {
    checkOpen();
    const name = nameOf(key);
    const holder = keyOwners.get(name);
    if (holder === owner) return;
    if (holder) throw writeConflict();
    const base = baseOf(key, name);
    if (storage.version() !== snapshot.version && !sameBytes(base, storage.latest(key))) throw writeConflict();
    keyOwners.set(name, owner);
    claims.set(name, { key, base });
  }

  function set(key: Buffer, value: Buffer | null): void {
    checkOpen();
    const name = nameOf(key);
    const known = writes.get(name);
    if (known) known.value = value;
    else {
      writes.set(name, { key, value });
      order.add(name);
    }
    bytes += key.length + (value?.length ?? 0);
    if (bytes > LIMITS.transactionBytes)
      throw storeError(257, `a transaction of this store may write at most ${LIMITS.transactionBytes} bytes`);
  }

  return {
    version: snapshot.version,
    transactional: true,
    get empty() {
      return claims.size === 0 && writes.size === 0;
    },
    get(key) {
      checkOpen();
      const name = nameOf(key);
      const own = writes.get(name);
      return own ? (own.value ?? undefined) : baseOf(key, name);
    },
    range(low, high, options) {
      checkOpen();
      const own = order.between(low.toString('latin1'), high.toString('latin1'));
      return mergeWrites(snapshot.range(low, high, options), own, (name) => writes.get(name), options);
    },
    put: set,
    remove: (key) => set(key, null),
    claim,
    mark: (key, value) => void marks.push([key, value]),
    effect: (run, undo) => void effects.push([run, undo]),
    touch(collection) {
      if (!touched.has(collection)) touched.set(collection, collection.schemaVersion);
    },
    apply(live) {
      for (const [collection, schemaVersion] of touched)
        if (collection.schemaVersion !== schemaVersion) throw writeConflict();
      for (const { key, base } of claims.values()) if (!sameBytes(live.get(key), base)) throw writeConflict();
      for (const { key, value } of writes.values()) {
        if (value) live.put(key, value);
        else live.remove(key);
      }
      for (const [key, value] of marks) live.mark(key, value);
      for (const [run, undo] of effects) live.effect(run, undo);
    },
    release() {
      released = true;
      snapshot.close();
      for (const name of claims.keys()) keyOwners.delete(name);
      claims.clear();
      writes.clear();
    },
  };
}

const sameBytes = (left: Buffer | undefined, right: Buffer | undefined): boolean =>
  left && right ? left.equals(right) : left === right;
