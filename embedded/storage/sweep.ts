// Removes dropped data in small commits.

import { idOfPrefix, leftoverKey, leftoverRange, prefixOfLeftover, successor } from '../data/keys.ts';
import type { Storage } from './storage.ts';
import type { View, WriteView } from './view.ts';

const MAX_REMOVED_NOW = 100;
const MAX_REMOVED_PER_COMMIT = 2_000;
const PLACEHOLDER = Buffer.alloc(1);

/**
 * Removes every key with this prefix: up to 100 keys now, the rest in a later `sweep`. The caller must not read them
 * any more.
 */
export function discard(view: WriteView, prefix: Buffer): void {
  if (removeSome(view, prefix, MAX_REMOVED_NOW)) markForRemoval(view, prefix);
}

/**
 * Marks the keys with this prefix for removal. An index build removes the mark when it completes, so an interrupted
 * build is swept.
 */
export const markForRemoval = (view: WriteView, prefix: Buffer): void => view.put(leftoverKey(prefix), PLACEHOLDER);
export const unmarkForRemoval = (view: WriteView, prefix: Buffer): void => view.remove(leftoverKey(prefix));

/** The highest collection or index id that still has data to remove; it must not be reused. */
export function highestIdToRemove(view: View): number {
  let highest = 0;
  for (const { key } of view.range(...leftoverRange(), { keysOnly: true }))
    highest = Math.max(highest, idOfPrefix(prefixOfLeftover(key)));
  return highest;
}

/**
 * Removes the marked data in many small commits, so that other writes run in between. Skips prefixes for which `inUse`
 * returns true.
 */
export async function sweep(storage: Storage, inUse: (prefix: Buffer) => boolean): Promise<void> {
  const snapshot = storage.snapshot();
  const prefixes = [...snapshot.range(...leftoverRange(), { keysOnly: true })].map(({ key }) => prefixOfLeftover(key));
  snapshot.close();
  for (const prefix of prefixes) {
    for (let more = !inUse(prefix); more; ) {
      more = await storage.write(
        (view) => {
          const left = removeSome(view, prefix, MAX_REMOVED_PER_COMMIT);
          if (!left) unmarkForRemoval(view, prefix);
          return left;
        },
        { allowWhenFull: true },
      );
    }
  }
}

// Returns whether more keys remain.
function removeSome(view: WriteView, prefix: Buffer, max: number): boolean {
  const keys: Buffer[] = [];
  let more = false;
  for (const { key } of view.range(prefix, successor(prefix), { keysOnly: true })) {
    more = keys.length === max;
    if (more) break;
    keys.push(key);
  }
  for (const key of keys) view.remove(key);
  return more;
}
