import { createHash } from 'node:crypto';
import { addressKey } from './address.ts';
import type { AssemblyLine } from './asm-references.ts';

/** What a line of an assembly was frozen to: the version it means, what people made of that, and the digest of what that version uses itself. */
export type Frozen = {
  documentId: string;
  number: string;
  versionId: string;
  n: number;
  as: 'revision' | 'version';
  /** The release it meant, if it meant one. */
  label: string | null;
  /** The content hash of the version. */
  sha256: string;
  /** Null for a version that uses nothing. */
  bomDigest: string | null;
};

/**
 * SHA-256 (hex) over a frozen structure: the JSON list of [address, [[path, quantity] …], version id, its content hash, its own digest or null],
 * in the order of the lines. As each child contributes its own digest, one hash covers every depth. Null for what has no lines.
 */
export function bomDigest(
  lines: readonly (Pick<AssemblyLine, 'target' | 'at' | 'occurrences'> & { frozen: Frozen })[],
): string | null {
  if (!lines.length) return null;
  const covered = lines.map(({ occurrences, frozen, ...address }) => [
    addressKey(address),
    occurrences.map(({ path, quantity }) => [path, quantity]),
    ...[frozen.versionId, frozen.sha256, frozen.bomDigest],
  ]);
  return createHash('sha256').update(JSON.stringify(covered)).digest('hex');
}
