import { createHash } from 'node:crypto';
import { isContent } from '../artifact-kind.ts';

type File = { kind: string; fileName: string; sha256: string };

/**
 * SHA-256 (hex) over what people made of a version: the JSON list of [kind, file name, SHA-256], ordered by kind. Derived files do not
 * count: they follow from the content and may come later.
 */
export function contentHash(files: readonly File[]): string {
  const content = files
    .filter(({ kind }) => isContent(kind))
    .sort((a, b) => (a.kind < b.kind ? -1 : 1))
    .map(({ kind, fileName, sha256 }) => [kind, fileName, sha256]);
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}
