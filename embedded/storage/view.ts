// What the engine sees of the data. A snapshot, the live state inside a write and a transaction's overlay all look like this,
// so a command is written once.

export type Entry = { key: Buffer; value: Buffer };
export type RangeOptions = { reverse?: boolean; keysOnly?: boolean };

export type View = {
  /** Commits this view has seen: an index that became complete later is not used with it. */
  readonly version: number;
  get(key: Buffer): Buffer | undefined;
  /** Entries with low ≤ key < high; with `keysOnly` the values are empty. */
  range(low: Buffer, high: Buffer, options?: RangeOptions): Iterable<Entry>;
};

export type Snapshot = View & { count(low: Buffer, high: Buffer): number; close(): void };

export type WriteView = View & {
  /** Whoever writes has claimed the key, or another that stands for it: an index entry that names its record belongs to whom the document belongs. */
  put(key: Buffer, value: Buffer): void;
  remove(key: Buffer): void;
  /** Throws when an open transaction holds the key: a conflict inside a transaction, a wait outside. */
  claim(key: Buffer): void;
  /** Put a mark that only ever grows (an index became multikey): never in conflict, kept even when it came too early. */
  mark(key: Buffer, value: Buffer): void;
  /** A change of counters in memory, done when the write enters the store's own transaction and undone when that fails. */
  effect(run: () => void, undo: () => void): void;
  /** Called with each collection written to: a transaction must not commit into one whose indexes changed meanwhile. */
  touch(collection: { schema: number }): void;
  readonly transactional: boolean;
};
