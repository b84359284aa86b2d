// The heads of audit chains that this process moved a moment ago, so that the next write to the same chain need not read its head again. Never trusted alone:
// a move names the whole head it goes on from, and finds nothing where that is no longer the head.
import type { Db } from 'mongodb';

/** The place and the hash of the last record of a chain. */
export type Head = { chainSeq: number; hash: string };

type Memory = { heads: Map<string, Head & { until: number }>; mistrusted: Map<string, number> };

const REMEMBERED_MS = 1_000;
// Somebody else writes to the chain as well: what is remembered of it would often be wrong, and each time a transaction begins again.
const MISTRUSTED_MS = 10_000;

const memories = new WeakMap<Db, Memory>();

/** Those of some chains whose head was moved by this process within the last second. */
export function rememberedHeads(db: Db, chains: readonly string[]): Map<string, Head> {
  const { heads, mistrusted } = memoryOf(db);
  const now = performance.now();
  const found = new Map<string, Head>();
  for (const chain of chains) {
    const head = heads.get(chain);
    if (head && head.until > now && !((mistrusted.get(chain) ?? 0) > now)) found.set(chain, { chainSeq: head.chainSeq, hash: head.hash });
  }
  return found;
}

/** Keeps heads that are on disk. */
export function rememberHeads(db: Db, moved: ReadonlyMap<string, Head>): void {
  const { heads } = memoryOf(db);
  const now = performance.now();
  for (const [chain, head] of moved) {
    // in the order of their time, so that the old ones are found at the front
    heads.delete(chain);
    heads.set(chain, { ...head, until: now + REMEMBERED_MS });
  }
  for (const [chain, { until }] of heads) {
    if (until > now) break;
    heads.delete(chain);
  }
}

/** What was remembered of one of these chains was wrong: for ten seconds their heads are read. */
export function mistrustHeads(db: Db, chains: Iterable<string>): void {
  const { mistrusted } = memoryOf(db);
  const now = performance.now();
  for (const [chain, until] of mistrusted) if (until <= now) mistrusted.delete(chain);
  for (const chain of chains) mistrusted.set(chain, now + MISTRUSTED_MS);
}

function memoryOf(db: Db): Memory {
  const known = memories.get(db);
  if (known) return known;
  const memory: Memory = { heads: new Map(), mistrusted: new Map() };
  memories.set(db, memory);
  return memory;
}
