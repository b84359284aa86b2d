import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  buildTree,
  consistencyProof,
  EMPTY_TREE,
  inclusionProof,
  leafHash,
  treeRoot,
  verifyConsistency,
  verifyInclusion,
} from './merkle.ts';

const sha256 = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest();

// the definition of RFC 6962, section 2.1
function mth(entries: readonly Uint8Array[]): Buffer {
  if (entries.length === 0) return sha256();
  if (entries.length === 1) return sha256(Buffer.of(0), entries[0] as Uint8Array);
  let k = 1;
  while (k * 2 < entries.length) k *= 2;
  return sha256(Buffer.of(1), mth(entries.slice(0, k)), mth(entries.slice(k)));
}

const entries = fc.array(fc.uint8Array({ maxLength: 8 }), { minLength: 1, maxLength: 70, size: 'max' });
const treeOfEntries = (data: readonly Uint8Array[]) => {
  const leaves = data.map(leafHash);
  return { leaves, size: leaves.length, root: treeRoot(buildTree(leaves)) };
};
const flipped = (hash: Buffer) => Buffer.from(hash.map((byte, i) => (i === 0 ? byte ^ 1 : byte)));

describe('treeRoot', () => {
  test('matches the definition of RFC 6962 for any number of leaves', () => {
    expect(treeRoot(EMPTY_TREE)).toEqual(mth([]));
    for (let size = 1; size <= 130; size++) {
      const data = Array.from({ length: size }, (_, i) => Buffer.from(`entry ${i}`));
      expect(treeOfEntries(data).root).toEqual(mth(data));
    }
  });

  test('matches the test vectors of Certificate Transparency', () => {
    const vectors = [
      '',
      '00',
      '10',
      '2021',
      '3031',
      '40414243',
      '5051525354555657',
      '606162636465666768696a6b6c6d6e6f',
    ];
    const roots = [
      '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
      'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
      'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
      '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
      '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
      'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
      '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
    ];
    expect(
      vectors.map((_, i) =>
        treeOfEntries(vectors.slice(0, i + 1).map((hex) => Buffer.from(hex, 'hex'))).root.toString('hex'),
      ),
    ).toEqual(roots);
  });
});

describe('an inclusion proof', () => {
  test('proves each leaf at its index', () => {
    fc.assert(
      fc.property(entries, (data) => {
        const tree = treeOfEntries(data);
        for (const [index, leaf] of tree.leaves.entries())
          expect(verifyInclusion(inclusionProof(tree.leaves, index), leaf, index, tree)).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  test('rejects an inclusion proof for another leaf, index or tree, and a changed proof', () => {
    fc.assert(
      fc.property(entries, fc.nat(), fc.nat(), (data, some, other) => {
        const tree = treeOfEntries(data);
        const index = some % tree.size;
        const leaf = tree.leaves[index] as Buffer;
        const proof = inclusionProof(tree.leaves, index);
        expect(verifyInclusion(proof, flipped(leaf), index, tree)).toBe(false);
        expect(verifyInclusion(proof, leaf, index, { ...tree, root: flipped(tree.root) })).toBe(false);
        expect(verifyInclusion([...proof, leaf], leaf, index, tree)).toBe(false);
        expect(verifyInclusion(proof, leaf, tree.size, tree)).toBe(false);
        if (proof.length) {
          const at = other % proof.length;
          expect(verifyInclusion(proof.slice(1), leaf, index, tree)).toBe(false);
          expect(verifyInclusion(proof.with(at, flipped(proof[at] as Buffer)), leaf, index, tree)).toBe(false);
        }
      }),
    );
  });

  test('throws for a leaf that does not exist', () => {
    expect(() => inclusionProof([], 0)).toThrow(RangeError);
    expect(() => inclusionProof([leafHash(Buffer.of(1))], 1)).toThrow(RangeError);
  });
});

describe('a consistency proof', () => {
  test('proves every prefix of a tree', () => {
    fc.assert(
      fc.property(entries, (data) => {
        const tree = treeOfEntries(data);
        for (let size = 1; size <= tree.size; size++)
          expect(verifyConsistency(consistencyProof(tree.leaves, size), treeOfEntries(data.slice(0, size)), tree)).toBe(
            true,
          );
      }),
      { numRuns: 30 },
    );
  });

  test('rejects a consistency proof for another prefix, and a changed proof', () => {
    fc.assert(
      fc.property(entries, fc.nat(), fc.nat(), (data, some, other) => {
        const tree = treeOfEntries(data);
        const size = 1 + (some % tree.size);
        const first = treeOfEntries(data.slice(0, size));
        const proof = consistencyProof(tree.leaves, size);
        expect(verifyConsistency(proof, { size, root: flipped(first.root) }, tree)).toBe(false);
        expect(verifyConsistency(proof, first, { ...tree, root: flipped(tree.root) })).toBe(false);
        expect(verifyConsistency([...proof, first.root], first, tree)).toBe(false);
        expect(verifyConsistency(proof, { ...first, size: tree.size + 1 }, tree)).toBe(false);
        if (proof.length) {
          const at = other % proof.length;
          expect(verifyConsistency(proof.with(at, flipped(proof[at] as Buffer)), first, tree)).toBe(false);
          expect(verifyConsistency(proof.slice(0, -1), first, tree)).toBe(false);
        }
      }),
    );
  });

  test('throws for a tree that is not a prefix', () => {
    expect(() => consistencyProof([], 0)).toThrow(RangeError);
    expect(() => consistencyProof([leafHash(Buffer.of(1))], 2)).toThrow(RangeError);
  });
});
