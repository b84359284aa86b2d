import type { Work } from '../work.ts';
import type { VersionRecord } from './collections.ts';
import { collection, type Scope, within } from './scope.ts';

/** The editable content of a workspace as a new record, to be inserted by the caller; it continues `basedOnVersionId`, or nothing. */
export function draftRecord(
  work: Work,
  of: { documentId: string; workspaceId: string; draftId: string; basedOnVersionId: string | null },
): VersionRecord {
  return {
    _id: of.draftId,
    documentId: of.documentId,
    workspaceId: of.workspaceId,
    type: 'draft',
    n: null,
    name: 'Draft',
    comment: null,
    basedOnVersionId: of.basedOnVersionId,
    parents: of.basedOnVersionId ? [of.basedOnVersionId] : [],
    releasedAs: null,
    contentHash: null,
    awaitsJobs: [],
    createdAt: work.now,
    createdBy: work.actor.id,
    updatedAt: work.now,
    lock: 0,
  };
}

/** The version of a document with the highest n, of whatever workspace; null while none was made. */
export function newestVersion(scope: Scope, documentId: string): Promise<VersionRecord | null> {
  return collection(scope, 'versions').findOne({ documentId: { $eq: documentId }, type: 'version' }, { sort: { n: -1 }, ...within(scope) });
}
