// The content hash of a version.

import { createHash } from 'node:crypto';
import { isContentKind } from '../artifact-kind.ts';

type File = { kind: string; fileName: string; sha256: string };

/**
 * Returns the SHA-256 (hex) of the JSON list of [kind, file name, SHA-256] of the content files, ordered by kind.
 * Derived files are excluded: they follow from the content and may be added later.
 */
export function contentHash(files: readonly File[]): string {
  const content = files
    .filter(({ kind }) => isContentKind(kind))
    .sort((a, b) => (a.kind < b.kind ? -1 : 1))
    .map(({ kind, fileName, sha256 }) => [kind, fileName, sha256]);
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}
