// What the resolvers of this subgraph get as their parents.
import type { ArtifactRecord, DocumentRecord, JobRecord, VersionRecord } from '../core/store/collections.ts';

export type Job = JobRecord;
export type JobPage = { items: JobRecord[]; nextCursor: string | null; total: number | null };
/** A draft or version, known by its id alone; its fields are another subgraph's. */
export type Version = { id: string };
export type Document = { id: string };
export type ContextDocument = DocumentRecord;
export type ContextVersion = VersionRecord;
export type ContextFile = ArtifactRecord;
