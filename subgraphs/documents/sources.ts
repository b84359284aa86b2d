// What the resolvers of this subgraph get as their parents.
import type { DocumentRecord, FolderRecord, AuditRecord as StoredAudit } from '../core/store/collections.ts';

export type Document = DocumentRecord;
/** A folder with what can only be told from the whole tree. */
export type Folder = FolderRecord & { path: string };
export type AuditRecord = StoredAudit;
export type AuditActor = StoredAudit['by'];
/** The id of a user; the name is looked up. */
export type User = string;
