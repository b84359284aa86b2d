import { folded } from '../domain/text.ts';
import type { Work } from '../work.ts';
import type { WorkspaceRecord } from './collections.ts';

type Given = Pick<WorkspaceRecord, '_id' | 'documentId' | 'name' | 'description' | 'main' | 'fromVersionId' | 'draftId'>;

/** A workspace as a new record, to be inserted by the caller together with its draft. */
export function workspaceRecord(work: Work, given: Given): WorkspaceRecord {
  return {
    ...given,
    nameKey: folded(given.name),
    archived: false,
    newestVersionId: null,
    reservation: null,
    createdAt: work.now,
    createdBy: work.actor.id,
    lock: 0,
  };
}
