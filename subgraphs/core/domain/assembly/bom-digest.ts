// The digest of a frozen assembly.

import { createHash } from 'node:crypto';
import { addressKey } from './address.ts';
import type { AssemblyLine } from './asm-references.ts';

/** The version that a line of an assembly was frozen to. */
export type FrozenReference = {
  documentId: string;
  number: string;
  versionId: string;
  n: number;
  as: 'revision' | 'version';
  /** The label of the release it was frozen to, if any. */
  label: string | null;
  /** The content hash of the version. */
  sha256: string;
  /** The digest of the references of that version. Null if it has none. */
  bomDigest: string | null;
};

/**
 * Returns the SHA-256 (hex) of the JSON list of [address, [[path, quantity] …], version id, its content hash, its own
 * digest or null] in line order. As each child contributes its own digest, the hash covers every depth. Returns null if
 * there are no lines.
 */
export function bomDigest(
  lines: readonly (Pick<AssemblyLine, 'target' | 'at' | 'occurrences'> & { frozen: FrozenReference })[],
): string | null {
  if (!lines.length) return null;
  const content = lines.map(({ occurrences, frozen, ...address }) => [
    addressKey(address),
    occurrences.map(({ path, quantity }) => [path, quantity]),
    frozen.versionId,
    frozen.sha256,
    frozen.bomDigest,
  ]);
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}
