// The read and write interfaces of a snapshot, of the live state during a write and of a transaction's overlay.

export type Entry = { key: Buffer; value: Buffer };
export type RangeOptions = { reverse?: boolean; keysOnly?: boolean };

export type View = {
  /** The number of the newest commit in this view. An index that was completed later is not used with it. */
  readonly version: number;
  get(key: Buffer): Buffer | undefined;
  /** Entries with low ≤ key < high; with `keysOnly` the values are empty. */
  range(low: Buffer, high: Buffer, options?: RangeOptions): Iterable<Entry>;
};

export type Snapshot = View & { count(low: Buffer, high: Buffer): number; close(): void };

export type WriteView = View & {
  /** The caller must have claimed the key, or the key of the document that an index entry belongs to. */
  put(key: Buffer, value: Buffer): void;
  remove(key: Buffer): void;
  /**
   * Throws if an open transaction has locked the key: WriteConflict in a transaction, otherwise a LockConflict, for
   * whose end the caller can wait.
   */
  claim(key: Buffer): void;
  /**
   * Writes a key without a conflict check: a flag that is only ever set (e.g. an index became multikey), which is
   * harmless if set too early, or the retry record of the session.
   */
  mark(key: Buffer, value: Buffer): void;
  /** Changes state in memory when the commit is prepared; `undo` runs if the commit's work throws. */
  effect(run: () => void, undo: () => void): void;
  /** Records that this view writes to the collection. A transaction cannot commit if its indexes have changed since. */
  touch(collection: { schemaVersion: number }): void;
  readonly transactional: boolean;
};
