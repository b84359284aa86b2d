// What versions use, as it was frozen: it is written once with the version and never changed, so what has been read once is kept in this process.
// Statuses are none of it: which releases are obsolete and what is newest is read anew each time.
import type { ClientSession, Db } from 'mongodb';
import type { BomLine } from '../domain/assembly/bom-line.ts';

/** Lines by version; nothing in them may be changed, they are handed out to every request. */
export type KeptLines = {
  get(versionId: string): readonly BomLine[] | undefined;
  keep(versionId: string, lines: readonly BomLine[]): void;
  /** How many lines are held. */
  readonly held: number;
};

// about 40 MiB
const MOST_LINES = 100_000;

const NOTHING: KeptLines = { get: () => undefined, keep: () => undefined, held: 0 };
const byDatabase = new WeakMap<Db, KeptLines>();

/**
 * The frozen lines kept of this database. In a transaction none: it reads what it reads as of its moment, and what it has written itself may yet be
 * undone. That a version is gone with its document is seen where it is looked up; no other version can have its id.
 */
export function keptLinesOf({ db, session }: { db: Db; session?: ClientSession }): KeptLines {
  if (session) return NOTHING;
  let kept = byDatabase.get(db);
  if (!kept) {
    kept = keepLines(MOST_LINES);
    byDatabase.set(db, kept);
  }
  return kept;
}

/** Keeps at most so many lines; the versions whose use is longest ago go first. */
export function keepLines(most: number): KeptLines {
  const versions = new Map<string, readonly BomLine[]>(); // in the order of use
  let held = 0;
  return {
    get(versionId) {
      const lines = versions.get(versionId);
      if (lines && held > most / 2) {
        versions.delete(versionId);
        versions.set(versionId, lines);
      }
      return lines;
    },
    keep(versionId, lines) {
      if (!lines.length || lines.length > most || versions.has(versionId)) return;
      versions.set(versionId, lines);
      held += lines.length;
      for (const [oldest, { length }] of versions) {
        if (held <= most) break;
        versions.delete(oldest);
        held -= length;
      }
    },
    get held() {
      return held;
    },
  };
}
