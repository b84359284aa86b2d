import { lowerBound } from './lower-bound.ts';

/** Names in order, e.g. the keys that a transaction wrote: each is added once, and read by ranges in between. */
export type SortedKeys = {
  add(name: string): void;
  /** Those with low ≤ name < high. */
  between(low: string, high: string): string[];
  all(): string[];
};

const MOST_IN_BLOCK = 1_000;
/** More new ones than this share are sorted in with all others, fewer each into its place. */
const SHARE = 8;

/** Kept in blocks in order. What is added waits until somebody reads: many additions in a row stay cheap, and so does each reading among them. */
export function sortedKeys(): SortedKeys {
  let blocks: string[][] = [];
  let count = 0;
  let fresh: string[] = [];

  function putInOrder(): void {
    if (fresh.length * SHARE > count) blocks = inBlocks([...blocks.flat(), ...fresh].sort());
    else for (const name of fresh) insert(name);
    count += fresh.length;
    fresh = [];
  }

  function insert(name: string): void {
    const at = Math.min(blockOf(name), blocks.length - 1);
    const block = blocks[at]!;
    block.splice(placeOf(block, name), 0, name);
    if (block.length > 2 * MOST_IN_BLOCK) blocks.splice(at, 1, ...inBlocks(block));
  }

  // The first block that ends with this name or a later one.
  function blockOf(name: string): number {
    return lowerBound(blocks.length, (at) => blocks[at]!.at(-1)! >= name);
  }

  return {
    add: (name) => void fresh.push(name),
    between(low, high) {
      if (fresh.length > 0) putInOrder();
      const found: string[] = [];
      for (let at = blockOf(low); at < blocks.length; at++) {
        const block = blocks[at]!;
        if (block[0]! >= high) break;
        for (const name of block.slice(placeOf(block, low), placeOf(block, high))) found.push(name);
      }
      return found;
    },
    all() {
      if (fresh.length > 0) putInOrder();
      return blocks.flat();
    },
  };
}

function inBlocks(sorted: string[]): string[][] {
  const blocks: string[][] = [];
  for (let from = 0; from < sorted.length; from += MOST_IN_BLOCK) blocks.push(sorted.slice(from, from + MOST_IN_BLOCK));
  return blocks;
}

const placeOf = (sorted: readonly string[], name: string): number =>
  lowerBound(sorted.length, (at) => sorted[at]! >= name);
