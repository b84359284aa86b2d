// The Merkle tree of RFC 6962, section 2.1.

import { createHash, hash } from 'node:crypto';

/** The right edge of a tree, which is enough to append leaves: the roots of its full subtrees, largest first. */
export type Edge = { size: number; peaks: readonly Buffer[] };

export const EMPTY_TREE: Edge = { size: 0, peaks: [] };

/** Returns the hash of a leaf with these bytes. */
export function leafHash(data: Uint8Array): Buffer {
  if (data.length !== HASH_BYTES) return createHash('sha256').update(LEAF).update(data).digest();
  leafBuffer.set(data, 1);
  return hash('sha256', leafBuffer, 'buffer');
}

/** Returns the tree with a leaf hash appended. */
export function appendLeaf({ size, peaks }: Edge, leaf: Buffer): Edge {
  const newPeaks = peaks.slice();
  let node = leaf;
  for (let rest = size; isOdd(rest); rest = half(rest)) node = nodeHash(newPeaks.pop() as Buffer, node);
  newPeaks.push(node);
  return { size: size + 1, peaks: newPeaks };
}

/** Returns the root of the tree. The root of an empty tree is the hash of an empty string. */
export function treeRoot({ peaks }: Edge): Buffer {
  return peaks.length ? peaks.reduceRight((right, left) => nodeHash(left, right)) : createHash('sha256').digest();
}

/** Returns the tree of these leaf hashes. */
export function buildTree(leaves: readonly Buffer[]): Edge {
  return leaves.reduce(appendLeaf, EMPTY_TREE);
}

/** Returns the hashes that lead from the leaf at an index to the root, bottom first. */
export function inclusionProof(leaves: readonly Buffer[], index: number): Buffer[] {
  if (index < 0 || index >= leaves.length)
    throw new RangeError(`Leaf ${index} does not exist in a tree of ${leaves.length} leaves`);
  if (leaves.length === 1) return [];
  const k = splitOf(leaves.length);
  const [left, right] = [leaves.slice(0, k), leaves.slice(k)];
  return index < k
    ? [...inclusionProof(left, index), treeRoot(buildTree(right))]
    : [...inclusionProof(right, index - k), treeRoot(buildTree(left))];
}

/**
 * Returns whether the proof leads from the leaf hash at an index to the root of a tree of this size (RFC 9162, section
 * 2.1.3.2).
 */
export function verifyInclusion(
  proof: readonly Buffer[],
  leaf: Buffer,
  leafIndex: number,
  { size, root }: { size: number; root: Buffer },
): boolean {
  if (leafIndex < 0 || leafIndex >= size) return false;
  let [index, last, node] = [leafIndex, size - 1, leaf];
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

/** Returns the hashes that prove that the tree of these leaves extends the tree of the first `size` of them. */
export function consistencyProof(leaves: readonly Buffer[], size: number): Buffer[] {
  if (size < 1 || size > leaves.length)
    throw new RangeError(`A tree of ${leaves.length} leaves does not extend one of ${size}`);
  return subproof(leaves, size, true);
}

function subproof(leaves: readonly Buffer[], size: number, isKnown: boolean): Buffer[] {
  if (size === leaves.length) return isKnown ? [] : [treeRoot(buildTree(leaves))];
  const k = splitOf(leaves.length);
  const [left, right] = [leaves.slice(0, k), leaves.slice(k)];
  return size <= k
    ? [...subproof(left, size, isKnown), treeRoot(buildTree(right))]
    : [...subproof(right, size - k, false), treeRoot(buildTree(left))];
}

type Root = { size: number; root: Buffer };

/** Returns whether the proof shows that the second tree extends the first (RFC 9162, section 2.1.4.2). */
export function verifyConsistency(proof: readonly Buffer[], first: Root, second: Root): boolean {
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
// Reused buffers, so that hashing a million leaves and nodes allocates no object for each.
const leafBuffer = Buffer.alloc(1 + HASH_BYTES, 0);
const nodeBuffer = Buffer.alloc(1 + 2 * HASH_BYTES, 1);

function nodeHash(left: Buffer, right: Buffer): Buffer {
  left.copy(nodeBuffer, 1);
  right.copy(nodeBuffer, 1 + HASH_BYTES);
  return hash('sha256', nodeBuffer, 'buffer');
}

// No bitwise operators: they are limited to 2^31 leaves.
const isOdd = (value: number): boolean => value % 2 === 1;
const half = (value: number): number => Math.floor(value / 2);
const isPowerOfTwo = (size: number): boolean => size === 1 || splitOf(size) * 2 === size;

/** Returns the largest power of two below the size. */
function splitOf(size: number): number {
  let k = 1;
  while (k * 2 < size) k *= 2;
  return k;
}
