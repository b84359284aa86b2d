import { contentHash } from '../domain/versions/version-content.ts';
import type { Scope } from '../store/query/scope.ts';
import { type WholeDocument, wholeDocuments } from '../store/query/whole-collections.ts';
import type { Violation } from './invariant.ts';
import { jobFaults } from './jobs.ts';
import { recordedFaults } from './recorded.ts';
import { resultFaults } from './results.ts';
import { revisionFaults } from './revisions.ts';
import { runFaults } from './runs.ts';

/** Each document with what is in it: workspaces and drafts, versions, revisions, reservations, jobs of sources, audit records. */
export async function* checkDocuments(scope: Scope): AsyncGenerator<Violation> {
  for await (const whole of wholeDocuments(scope)) {
    for (const faults of [
      workspaceFaults,
      versionFaults,
      contentFaults,
      revisionFaults,
      reservationFaults,
      sourceFaults,
      jobFaults,
      resultFaults,
      runFaults,
      recordedFaults,
    ])
      yield* faults(whole);
  }
}

function workspaceFaults({ document, workspaces, versions }: WholeDocument): Violation[] {
  const fault = (id: string, message: string): Violation => ({ invariant: 'I1', id, message });
  const drafts = new Map(versions.filter(({ type }) => type === 'draft').map((draft) => [draft._id, draft]));
  const mains = workspaces.filter(({ main }) => main).length;
  const used = new Set(workspaces.map(({ draftId }) => draftId));
  return [
    ...(mains === 1 ? [] : [fault(document._id, `Document ${document.number} has ${mains} main workspaces.`)]),
    ...workspaces
      .filter(({ _id, draftId }) => drafts.get(draftId)?.workspaceId !== _id)
      .map(({ _id, name }) => fault(_id, `Workspace "${name}" of ${document.number} has no draft.`)),
    ...[...drafts.keys()]
      .filter((id) => !used.has(id))
      .map((id) => fault(id, `Draft ${id} of ${document.number} is that of no workspace.`)),
  ];
}

function versionFaults({ document, versions }: WholeDocument): Violation[] {
  const ns = versions.flatMap(({ type, n }) => (type === 'version' ? [Number(n)] : [])).sort((a, b) => a - b);
  if (ns.length === document.lastVersion && ns.every((n, i) => n === i + 1)) return [];
  const says = `Document ${document.number} counts ${document.lastVersion} versions and has ${ns.length ? ns.join(', ') : 'none'}.`;
  return [{ invariant: 'I3', id: document._id, message: says }];
}

function contentFaults({ document, versions, artifacts }: WholeDocument): Violation[] {
  const files = Map.groupBy(artifacts, ({ versionId }) => versionId);
  const known = new Set(versions.map(({ _id }) => _id));
  const changed = versions.filter(
    ({ _id, type, contentHash: hash }) => hash !== (type === 'version' ? contentHash(files.get(_id) ?? []) : null),
  );
  const strays = artifacts.filter(({ versionId }) => !known.has(versionId));
  return [
    ...changed.map(
      ({ _id, name }): Violation => ({
        invariant: 'I4',
        id: _id,
        message: `${name} of ${document.number} does not hold what it was made with.`,
      }),
    ),
    ...strays.map(
      ({ _id, versionId }): Violation => ({
        invariant: 'I11',
        id: _id,
        message: `File ${_id} belongs to ${versionId}, which does not exist.`,
      }),
    ),
  ];
}

function reservationFaults({ document, workspaces }: WholeDocument): Violation[] {
  const impossible = workspaces.filter(
    ({ reservation }) => reservation && !(reservation.userId && reservation.since < reservation.expiresAt),
  );
  return impossible.map(({ _id, name }) => ({
    invariant: 'I9',
    id: _id,
    message: `The reservation of workspace "${name}" of ${document.number} is nobody's, or ends before it began.`,
  }));
}

// What a copy was made with came from elsewhere, and its jobs are there.
function sourceFaults({ document, versions, artifacts, jobs }: WholeDocument): Violation[] {
  const drafts = new Set(versions.filter(({ type }) => type === 'draft').map(({ _id }) => _id));
  const queued = new Set(jobs.map(({ inputSha256 }) => inputSha256));
  const uploaded = artifacts.filter(
    ({ kind, versionId, createdAt }) => kind === 'source' && drafts.has(versionId) && createdAt > document.createdAt,
  );
  return uploaded
    .filter(({ sha256 }) => !queued.has(sha256))
    .map(({ _id }) => ({ invariant: 'I16', id: _id, message: `Source ${_id} of ${document.number} has no job.` }));
}
