import { BaseVersionDocument } from '../generated/operations.ts';
import { useQuery } from '../shell/use-query.ts';
import type { ShownVersion } from './document-page.tsx';
import { isUnchanged } from './draft-changes.ts';

/** Returns the version that a draft is based on, and whether the draft equals it; null without one or until loaded. */
export function useBaseVersion(version: ShownVersion): { id: string; n: number; isUnchanged: boolean } | null {
  const baseId = version.type === 'draft' ? version.basedOnVersionId : null;
  const { data } = useQuery(BaseVersionDocument, baseId === null ? null : { id: baseId }); // versions are immutable
  const base = data?.version;
  return base && base.n !== null ? { id: base.id, n: base.n, isUnchanged: isUnchanged(version, base) } : null;
}
