// The parent values that the resolvers of this subgraph receive. gateway/codegen.ts finds them by their GraphQL type
// name.
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
/** Only the id; other subgraphs resolve the other fields. */
export type Version = { id: string };
/** Only the id; other subgraphs resolve the other fields. */
export type Document = { id: string };
export type Run = RunRecord;
export type RunPage = Page<RunRecord>;
export type RequestRunResult = { run: RunRecord; created: boolean };
export type GeneratorVersion = GeneratedBy;
/** The id of a user; the name is loaded. */
export type User = string;
export type ContextDocument = DocumentRecord;
export type ContextVersion = VersionRecord;
export type ContextFile = ArtifactRecord;
