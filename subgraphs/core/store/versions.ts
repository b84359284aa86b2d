// Drafts and versions.
import type { CodeLocation } from '../domain/jobs/code-location.ts';
import { isUnfinished, jobsThatMayDeliver } from './jobs/jobs.ts';
import { findAll, get, lock } from './query/records.ts';
import { collection, type Scope, within } from './query/scope.ts';
import type { Write } from './query/write.ts';
import type {
  ArtifactRecord,
  CollectionName,
  DocumentRecord,
  JobRecord,
  VersionRecord,
  WorkspaceRecord,
} from './schema/collections.ts';

/** Returns a new draft record to be inserted by the caller; `basedOnVersionId`: the version it continues, if any. */
export function draftRecord(
  work: Write,
  fields: { documentId: string; workspaceId: string; draftId: string; basedOnVersionId: string | null },
): VersionRecord {
  return {
    _id: fields.draftId,
    documentId: fields.documentId,
    workspaceId: fields.workspaceId,
    type: 'draft',
    n: null,
    name: 'Draft',
    comment: null,
    basedOnVersionId: fields.basedOnVersionId,
    parents: fields.basedOnVersionId ? [fields.basedOnVersionId] : [],
    restoredFromVersionId: null,
    releasedAs: null,
    contentHash: null,
    code: null,
    awaitsJobs: [],
    createdAt: work.now,
    createdBy: work.actor.id,
    updatedAt: work.now,
    lock: 0,
  };
}

/** Returns the version with the highest n over all workspaces; null if the document has none. */
export function newestVersion(scope: Scope, documentId: string): Promise<VersionRecord | null> {
  return collection(scope, 'versions').findOne(
    { documentId: { $eq: documentId }, type: 'version' },
    { sort: { n: -1 }, ...within(scope) },
  );
}

/** Returns the newest version of each document that has one. */
export async function newestVersions(scope: Scope, documentIds: readonly string[]): Promise<VersionRecord[]> {
  const versions: CollectionName = 'versions';
  const pipeline = [{ $match: { type: 'version' } }, { $sort: { n: -1 } }, { $limit: 1 }];
  const found = await collection(scope, 'documents')
    .aggregate<{ versions: VersionRecord[] }>(
      [
        { $match: { _id: { $in: documentIds } } },
        { $project: { _id: 1 } },
        { $lookup: { from: versions, localField: '_id', foreignField: 'documentId', pipeline, as: 'versions' } },
      ],
      within(scope),
    )
    .toArray();
  return found.flatMap(({ versions }) => versions);
}

/** Returns whether a version of the document refers to this code location. */
export async function versionHasCode(
  scope: Scope,
  documentId: string,
  { repoUrl, ref, path }: CodeLocation,
): Promise<boolean> {
  const named = { 'code.repoUrl': repoUrl, 'code.ref': ref, 'code.path': path };
  const filter = { documentId: { $eq: documentId }, type: 'version' as const, ...named };
  return (await collection(scope, 'versions').findOne(filter, { projection: { _id: 1 }, ...within(scope) })) !== null;
}

/** Returns the versions of several documents, those of each newest first; no drafts. */
export function versionsOf(scope: Scope, documentIds: readonly string[]): Promise<VersionRecord[]> {
  return collection(scope, 'versions')
    .find({ documentId: { $in: [...documentIds] }, type: 'version' }, within(scope))
    .sort({ documentId: 1, n: -1 })
    .toArray();
}

/** Returns a page of the versions of a document by n; `after` is the n of the last one of the previous page. */
export function listVersions(
  scope: Scope,
  documentId: string,
  { descending, limit, after }: { descending: boolean; limit: number; after?: number },
): Promise<VersionRecord[]> {
  const position = after === undefined ? {} : { n: descending ? { $lt: after } : { $gt: after } };
  return collection(scope, 'versions')
    .find({ documentId: { $eq: documentId }, type: 'version', ...position }, within(scope))
    .sort({ n: descending ? -1 : 1 })
    .limit(limit)
    .toArray();
}

export function countVersions(scope: Scope, documentId: string): Promise<number> {
  return collection(scope, 'versions').countDocuments(
    { documentId: { $eq: documentId }, type: 'version' },
    within(scope),
  );
}

/** Returns the versions that were created in a workspace, newest first. */
export function versionsOfWorkspace(scope: Scope, workspaceId: string): Promise<VersionRecord[]> {
  return versionsOfWorkspaces(scope, [workspaceId]);
}

/** Returns the versions that were created in several workspaces, those of each newest first. */
export function versionsOfWorkspaces(scope: Scope, workspaceIds: readonly string[]): Promise<VersionRecord[]> {
  return collection(scope, 'versions')
    .find({ workspaceId: { $in: [...workspaceIds] }, type: 'version' }, within(scope))
    .sort({ workspaceId: 1, n: -1 })
    .toArray();
}

/** Returns the drafts and versions that receive a job's results: the one it was queued for, and those that await it. */
export function versionsReceivingResults(
  scope: Scope,
  job: { _id: string; versionId: string },
): Promise<VersionRecord[]> {
  return collection(scope, 'versions')
    .find({ $or: [{ _id: job.versionId }, { awaitsJobs: job._id }] }, within(scope))
    .toArray();
}

/**
 * Returns the jobs that will deliver results for these files, and so for every copy of them: waiting and running ones,
 * and those that failed on an input among the files, because a retry delivers too.
 */
export async function jobsAwaitedBy(
  scope: Scope,
  { _id, awaitsJobs }: Pick<VersionRecord, '_id' | 'awaitsJobs'>,
  files: readonly ArtifactRecord[],
): Promise<string[]> {
  const ownJobs = await jobsThatMayDeliver(scope, _id);
  const inheritedJobs = awaitsJobs.length ? await findAll(scope, 'jobs', awaitsJobs) : [];
  const awaited = [...ownJobs, ...inheritedJobs].filter(
    (job) => isUnfinished(job) || (job.status === 'failed' && worksOn(job, files)),
  );
  return awaited.map((job) => job._id);
}

function worksOn({ inputKinds, inputSha256 }: JobRecord, files: readonly ArtifactRecord[]): boolean {
  return files.some(({ kind, sha256 }) => inputKinds.includes(kind) && sha256 === inputSha256);
}

/** A draft or version with its workspace and its document. */
export type VersionContext = { document: DocumentRecord; workspace: WorkspaceRecord; version: VersionRecord };

/** Reads a draft or version with its workspace and document. Throws `not_found`. */
export async function readVersionContext(scope: Scope, versionId: string): Promise<VersionContext> {
  const version = await get(scope, 'versions', versionId);
  const workspace = await get(scope, 'workspaces', version.workspaceId);
  return { version, workspace, document: await get(scope, 'documents', version.documentId) };
}

/** Like readVersionContext, but locks all three. */
export async function lockVersion(work: Write, versionId: string): Promise<VersionContext> {
  const version = await lock(work, 'versions', versionId);
  const workspace = await lock(work, 'workspaces', version.workspaceId);
  return { version, workspace, document: await lock(work, 'documents', version.documentId) };
}
