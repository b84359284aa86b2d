import type { FrozenChild, LabelUser } from '../domain/release.ts';
import type { Scope } from './scope.ts';

/** What a version points at, frozen when it was made. No kind of file holds references yet, so there is nothing to point with. */
export async function frozenChildren(_scope: Scope, _versionId: string): Promise<FrozenChild[]> {
  return [];
}

/** The drafts and versions of other documents that name a document by this label. None, as long as no kind of file holds references. */
export async function usersOfLabel(_scope: Scope, _document: { _id: string; number: string }, _label: string): Promise<LabelUser[]> {
  return [];
}
