import { contentHash } from '../domain/versions/version-content.ts';
import { type DocumentWithContent, scanDocuments } from '../store/query/scan.ts';
import type { Scope } from '../store/query/scope.ts';
import type { Violation } from './invariant.ts';
import { jobViolations } from './jobs.ts';
import { unrecordedViolations } from './recorded.ts';
import { resultViolations } from './results.ts';
import { revisionViolations } from './revisions.ts';
import { runViolations } from './runs.ts';

/** Checks each document with its workspaces, versions, revisions, files, jobs, runs and audit records. */
export async function* checkDocuments(scope: Scope): AsyncGenerator<Violation> {
  for await (const document of scanDocuments(scope)) {
    for (const check of [
      workspaceViolations,
      versionViolations,
      contentViolations,
      revisionViolations,
      reservationViolations,
      sourceViolations,
      jobViolations,
      resultViolations,
      runViolations,
      unrecordedViolations,
    ])
      yield* check(document);
  }
}

function workspaceViolations({ document, workspaces, versions }: DocumentWithContent): Violation[] {
  const violation = (id: string, message: string): Violation => ({ invariant: 'I1', id, message });
  const drafts = new Map(versions.filter(({ type }) => type === 'draft').map((draft) => [draft._id, draft]));
  const mains = workspaces.filter(({ main }) => main).length;
  const used = new Set(workspaces.map(({ draftId }) => draftId));
  return [
    ...(mains === 1 ? [] : [violation(document._id, `Document ${document.number} has ${mains} main workspaces.`)]),
    ...workspaces
      .filter(({ _id, draftId }) => drafts.get(draftId)?.workspaceId !== _id)
      .map(({ _id, name }) => violation(_id, `Workspace "${name}" of ${document.number} has no draft.`)),
    ...[...drafts.keys()]
      .filter((id) => !used.has(id))
      .map((id) => violation(id, `Draft ${id} of ${document.number} belongs to no workspace.`)),
  ];
}

function versionViolations({ document, versions }: DocumentWithContent): Violation[] {
  const ns = versions.flatMap(({ type, n }) => (type === 'version' ? [Number(n)] : [])).sort((a, b) => a - b);
  if (ns.length === document.lastVersion && ns.every((n, i) => n === i + 1)) return [];
  const found = ns.length ? ns.join(', ') : 'none';
  const message = `Document ${document.number} should have versions 1 to ${document.lastVersion}, but has ${found}.`;
  return [{ invariant: 'I3', id: document._id, message }];
}

function contentViolations({ document, versions, artifacts }: DocumentWithContent): Violation[] {
  const files = Map.groupBy(artifacts, ({ versionId }) => versionId);
  const known = new Set(versions.map(({ _id }) => _id));
  const changed = versions.filter(
    ({ _id, type, contentHash: hash }) => hash !== (type === 'version' ? contentHash(files.get(_id) ?? []) : null),
  );
  const orphans = artifacts.filter(({ versionId }) => !known.has(versionId));
  return [
    ...changed.map(
      ({ _id, name }): Violation => ({
        invariant: 'I4',
        id: _id,
        message: `The content hash of ${name} of ${document.number} does not match its files.`,
      }),
    ),
    ...orphans.map(
      ({ _id, versionId }): Violation => ({
        invariant: 'I11',
        id: _id,
        message: `File ${_id} belongs to ${versionId}, which does not exist.`,
      }),
    ),
  ];
}

function reservationViolations({ document, workspaces }: DocumentWithContent): Violation[] {
  const invalid = workspaces.filter(
    ({ reservation }) => reservation && !(reservation.userId && reservation.since < reservation.expiresAt),
  );
  return invalid.map(({ _id, name }) => ({
    invariant: 'I9',
    id: _id,
    message: `The reservation of workspace "${name}" of ${document.number} has no user, or ends before its start.`,
  }));
}

// The files of a copy have no jobs of their own: they are as old as the document.
function sourceViolations({ document, versions, artifacts, jobs }: DocumentWithContent): Violation[] {
  const drafts = new Set(versions.filter(({ type }) => type === 'draft').map(({ _id }) => _id));
  const queued = new Set(jobs.map(({ inputSha256 }) => inputSha256));
  const uploaded = artifacts.filter(
    ({ kind, versionId, createdAt }) => kind === 'source' && drafts.has(versionId) && createdAt > document.createdAt,
  );
  return uploaded
    .filter(({ sha256 }) => !queued.has(sha256))
    .map(({ _id }) => ({ invariant: 'I16', id: _id, message: `Source ${_id} of ${document.number} has no job.` }));
}
