// The hash tree of RFC 6962, section 2.1: one root stands for all leaves in their order.
import { createHash, hash } from 'node:crypto';

/** The right edge of a tree, all that is needed to let it grow: the roots of its full subtrees, largest first. */
export type Edge = { size: number; peaks: readonly Buffer[] };

export const NO_LEAVES: Edge = { size: 0, peaks: [] };

/** The hash of a leaf that holds these bytes. */
export function leafHash(data: Uint8Array): Buffer {
  if (data.length !== HASH_BYTES) return createHash('sha256').update(LEAF).update(data).digest();
  oneHash.set(data, 1);
  return hash('sha256', oneHash, 'buffer');
}

/** The tree with one more leaf (a leaf hash). */
export function grown({ size, peaks }: Edge, leaf: Buffer): Edge {
  const left = peaks.slice();
  let node = leaf;
  for (let rest = size; isOdd(rest); rest = half(rest)) node = nodeHash(left.pop() as Buffer, node);
  left.push(node);
  return { size: size + 1, peaks: left };
}

/** The root of the tree; that of no leaves is the hash of nothing. */
export function rootOf({ peaks }: Edge): Buffer {
  return peaks.length ? peaks.reduceRight((right, left) => nodeHash(left, right)) : createHash('sha256').digest();
}

/** The tree of these leaf hashes. */
export function treeOf(leaves: readonly Buffer[]): Edge {
  return leaves.reduce(grown, NO_LEAVES);
}

/** The hashes that lead from the leaf at this place (from 0) to the root, bottom first. */
export function inclusionProof(leaves: readonly Buffer[], place: number): Buffer[] {
  if (place < 0 || place >= leaves.length) throw new RangeError(`There is no leaf ${place} among ${leaves.length}`);
  if (leaves.length === 1) return [];
  const k = splitOf(leaves.length);
  const [left, right] = [leaves.slice(0, k), leaves.slice(k)];
  return place < k
    ? [...inclusionProof(left, place), rootOf(treeOf(right))]
    : [...inclusionProof(right, place - k), rootOf(treeOf(left))];
}

/** Whether the proof leads from the leaf hash at this place to the root of a tree of that size (RFC 9162, 2.1.3.2). */
export function provesInclusion(
  proof: readonly Buffer[],
  leaf: Buffer,
  place: number,
  { size, root }: { size: number; root: Buffer },
): boolean {
  if (place < 0 || place >= size) return false;
  let [index, last, node] = [place, size - 1, leaf];
  for (const sibling of proof) {
    if (last === 0) return false;
    if (isOdd(index) || index === last) {
      node = nodeHash(sibling, node);
      for (; !isOdd(index) && index !== 0; index = half(index)) last = half(last);
    } else node = nodeHash(node, sibling);
    [index, last] = [half(index), half(last)];
  }
  return last === 0 && node.equals(root);
}

/** The hashes that show a tree of all these leaves to begin with the tree of the first `size` of them. */
export function consistencyProof(leaves: readonly Buffer[], size: number): Buffer[] {
  if (size < 1 || size > leaves.length)
    throw new RangeError(`A tree of ${size} leaves is no beginning of one of ${leaves.length}`);
  return subproof(leaves, size, true);
}

function subproof(leaves: readonly Buffer[], size: number, known: boolean): Buffer[] {
  if (size === leaves.length) return known ? [] : [rootOf(treeOf(leaves))];
  const k = splitOf(leaves.length);
  const [left, right] = [leaves.slice(0, k), leaves.slice(k)];
  return size <= k
    ? [...subproof(left, size, known), rootOf(treeOf(right))]
    : [...subproof(right, size - k, false), rootOf(treeOf(left))];
}

type Root = { size: number; root: Buffer };

/** Whether the proof shows the first tree to be the beginning of the second (RFC 9162, 2.1.4.2). */
export function provesConsistency(proof: readonly Buffer[], first: Root, second: Root): boolean {
  if (first.size < 1 || first.size > second.size) return false;
  if (first.size === second.size) return proof.length === 0 && first.root.equals(second.root);
  const [start, ...rest] = isPowerOfTwo(first.size) ? [first.root, ...proof] : proof;
  if (!start) return false;
  let [index, last] = [first.size - 1, second.size - 1];
  for (; isOdd(index); index = half(index)) last = half(last);
  let [older, newer] = [start, start];
  for (const sibling of rest) {
    if (last === 0) return false;
    if (isOdd(index) || index === last) {
      [older, newer] = [nodeHash(sibling, older), nodeHash(sibling, newer)];
      for (; !isOdd(index) && index !== 0; index = half(index)) last = half(last);
    } else newer = nodeHash(newer, sibling);
    [index, last] = [half(index), half(last)];
  }
  return last === 0 && older.equals(first.root) && newer.equals(second.root);
}

const HASH_BYTES = 32;
const LEAF = Buffer.of(0);
// One buffer for all leaves that are hashes, one for all nodes: a million of them are hashed in one go, without an object for each.
const oneHash = Buffer.alloc(1 + HASH_BYTES, 0);
const twoHashes = Buffer.alloc(1 + 2 * HASH_BYTES, 1);

function nodeHash(left: Buffer, right: Buffer): Buffer {
  left.copy(twoHashes, 1);
  right.copy(twoHashes, 1 + HASH_BYTES);
  return hash('sha256', twoHashes, 'buffer');
}

// Not the operators of bits: they would end at 2^31 leaves.
const isOdd = (value: number): boolean => value % 2 === 1;
const half = (value: number): number => Math.floor(value / 2);
const isPowerOfTwo = (size: number): boolean => size === 1 || splitOf(size) * 2 === size;

/** The largest power of two below the size. */
function splitOf(size: number): number {
  let k = 1;
  while (k * 2 < size) k *= 2;
  return k;
}
