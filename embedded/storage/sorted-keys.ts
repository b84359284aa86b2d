// An ordered list of keys for many additions and range reads.

import { lowerBound } from './lower-bound.ts';

/** Keys in order, e.g. those that a transaction wrote. Each key must be added only once. */
export type SortedKeys = {
  add(key: string): void;
  /** The keys with low ≤ key < high. */
  between(low: string, high: string): string[];
  all(): string[];
};

const MAX_IN_BLOCK = 1_000;
/** If the new keys exceed 1/8 of all, the whole list is sorted again; otherwise each is inserted. */
const RESORT_SHARE = 8;

/**
 * Creates a list of sorted blocks. New keys are merged at the next read, so that consecutive additions stay cheap.
 */
export function createSortedKeys(): SortedKeys {
  let blocks: string[][] = [];
  let count = 0;
  let added: string[] = [];

  function sortAdded(): void {
    if (added.length * RESORT_SHARE > count) blocks = splitIntoBlocks([...blocks.flat(), ...added].sort());
    else for (const key of added) insert(key);
    count += added.length;
    added = [];
  }

  function insert(key: string): void {
    const at = Math.min(blockOf(key), blocks.length - 1);
    const block = blocks[at]!;
    block.splice(positionIn(block, key), 0, key);
    if (block.length > 2 * MAX_IN_BLOCK) blocks.splice(at, 1, ...splitIntoBlocks(block));
  }

  // The first block whose last key is this key or a later one.
  function blockOf(key: string): number {
    return lowerBound(blocks.length, (at) => blocks[at]!.at(-1)! >= key);
  }

  return {
    add: (key) => void added.push(key),
    between(low, high) {
      if (added.length > 0) sortAdded();
      const found: string[] = [];
      for (let at = blockOf(low); at < blocks.length; at++) {
        const block = blocks[at]!;
        if (block[0]! >= high) break;
        for (const key of block.slice(positionIn(block, low), positionIn(block, high))) found.push(key);
      }
      return found;
    },
    all() {
      if (added.length > 0) sortAdded();
      return blocks.flat();
    },
  };
}

function splitIntoBlocks(sorted: string[]): string[][] {
  const blocks: string[][] = [];
  for (let from = 0; from < sorted.length; from += MAX_IN_BLOCK) blocks.push(sorted.slice(from, from + MAX_IN_BLOCK));
  return blocks;
}

const positionIn = (sorted: readonly string[], key: string): number =>
  lowerBound(sorted.length, (at) => sorted[at]! >= key);
