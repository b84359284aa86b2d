// What the resolvers of this subgraph get as their parents.
import type { Page } from '../core/domain/text/paging.ts';
import type {
  ArtifactRecord,
  DocumentRecord,
  GeneratedBy,
  JobRecord,
  RunRecord,
  VersionRecord,
} from '../core/store/schema/collections.ts';

export type Job = JobRecord;
export type JobPage = Page<JobRecord>;
/** A draft or version, known by its id alone; its fields are another subgraph's. */
export type Version = { id: string };
/** Known by its id alone. */
export type Document = { id: string };
export type Run = RunRecord;
export type RunPage = Page<RunRecord>;
export type RequestRunResult = { run: RunRecord; created: boolean };
export type GeneratorVersion = GeneratedBy;
/** The id of a user; the name is looked up. */
export type User = string;
export type ContextDocument = DocumentRecord;
export type ContextVersion = VersionRecord;
export type ContextFile = ArtifactRecord;
