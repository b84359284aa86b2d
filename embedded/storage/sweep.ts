import { idOfPrefix, leftoverKey, leftoverRange, prefixOfLeftover, successor } from '../data/keys.ts';
import type { Storage } from './storage.ts';
import type { View, WriteView } from './view.ts';

const FEW = 100;
const AT_ONCE = 2_000;
const NOTHING = Buffer.alloc(1);

/** Removes every key with this prefix: a few at once, many are noted and left to `sweep`. Nobody reads them from now on. */
export function discard(view: WriteView, prefix: Buffer): void {
  if (removeSome(view, prefix, FEW)) noteLeftover(view, prefix);
}

/** Notes that what stands under this prefix belongs to nothing, unless the note is taken back: so a build that is cut off leaves nothing behind. */
export const noteLeftover = (view: WriteView, prefix: Buffer): void => view.put(leftoverKey(prefix), NOTHING);
export const keepLeftover = (view: WriteView, prefix: Buffer): void => view.remove(leftoverKey(prefix));

/** The highest id of what is still to be removed: it must not be given again. */
export function highestLeftover(view: View): number {
  let highest = 0;
  for (const { key } of view.range(...leftoverRange(), { keysOnly: true }))
    highest = Math.max(highest, idOfPrefix(prefixOfLeftover(key)));
  return highest;
}

/** Removes what was left over, a little in each commit, so that others write in between. `inUse` tells a prefix that is being filled. */
export async function sweep(storage: Storage, inUse: (prefix: Buffer) => boolean): Promise<void> {
  const noted = storage.snapshot();
  const prefixes = [...noted.range(...leftoverRange(), { keysOnly: true })].map(({ key }) => prefixOfLeftover(key));
  noted.close();
  for (const prefix of prefixes) {
    for (let more = !inUse(prefix); more; ) {
      more = await storage.write(
        (view) => {
          const left = removeSome(view, prefix, AT_ONCE);
          if (!left) keepLeftover(view, prefix);
          return left;
        },
        { allowWhenFull: true },
      );
    }
  }
}

// Is there more under the prefix than these many?
function removeSome(view: WriteView, prefix: Buffer, most: number): boolean {
  const keys: Buffer[] = [];
  let more = false;
  for (const { key } of view.range(prefix, successor(prefix), { keysOnly: true })) {
    more = keys.length === most;
    if (more) break;
    keys.push(key);
  }
  for (const key of keys) view.remove(key);
  return more;
}
