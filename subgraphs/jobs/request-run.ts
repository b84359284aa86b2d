// Requests a run of a generator.
import { queueJob } from '../core/commands/queue-job.ts';
import { canonicalJson, findNonCanonical } from '../core/domain/audit/canonical-json.ts';
import { refuse } from '../core/domain/errors.ts';
import { assertCodeDocument, requireSyncedCode } from '../core/domain/jobs/code-state.ts';
import { type Manifest, parseManifest } from '../core/domain/jobs/manifest.ts';
import { paramsHash, runKey } from '../core/domain/jobs/run-key.ts';
import { assertNotArchived } from '../core/domain/versions/lifecycle.ts';
import { assertPermitted, type Context } from '../core/graphql.ts';
import { artifactOfKind } from '../core/store/files/artifacts.ts';
import { openBlob } from '../core/store/files/blobs.ts';
import { currentRun, retireCurrentRun } from '../core/store/jobs/runs.ts';
import { change, find, insert } from '../core/store/query/records.ts';
import type { Scope } from '../core/store/query/scope.ts';
import type { ArtifactRecord, JobRecord, RunRecord } from '../core/store/schema/collections.ts';
import { lockVersion, readVersionContext, type VersionContext } from '../core/store/versions.ts';
import { inTransaction, type Work } from '../core/work.ts';
import { CODE_KINDS } from './code/set-code.ts';
import { completeParams } from './complete-params.ts';

type Input = { versionId: string; params?: unknown; force?: boolean | null };
type Request = {
  versionId: string;
  params: Record<string, unknown>;
  force: boolean;
  manifestSha256: string;
  generator: RunRecord['generator'];
};

/** The run, and whether it was created for this request. */
export type RequestRunResult = { run: RunRecord; created: boolean };

/**
 * Requests a run of a code draft or version. If a run with the same parameters on the same commit exists, returns it
 * unless it failed or `force` is set. Fills in the defaults of the manifest first. Throws `invalid_params` if the
 * parameters do not match the manifest, `code_not_synced` if there is no code to run.
 */
export async function requestRun(
  _parent: unknown,
  { versionId, params, force }: Input,
  context: Context,
): Promise<RequestRunResult> {
  const { services, request, scope } = context;
  assertPermitted(request, 'edit');
  const target = await readVersionContext(scope, versionId);
  requireRunnableCode(target);
  const { manifest, sha256 } = await readRunManifest(scope, versionId);

  const provided = requireCanonical(requireObject(params));
  const complete = requireCanonical(await completeParams({ schema: manifest.params, params: provided }));

  const { name, version } = manifest;
  const input = {
    versionId,
    params: complete,
    force: force === true,
    manifestSha256: sha256,
    generator: { name, version },
  };
  return inTransaction(services, request, startRun, input);
}

/**
 * Returns the code to run. Throws if the document has another kind or is archived, or if its code is not synchronized.
 */
function requireRunnableCode(target: VersionContext): ReturnType<typeof requireSyncedCode> {
  assertCodeDocument(target.document);
  assertNotArchived(target);
  return requireSyncedCode(target.version);
}

function requireObject(params: unknown): object {
  if (params == null) return {};
  if (typeof params === 'object' && !Array.isArray(params)) return params;
  return refuse('invalid_params', 'params must be an object, e.g. {"width": 800}.', {
    errors: [{ path: '/params', message: 'must be an object' }],
  });
}

// Parameters without a canonical form would change when they are stored.
function requireCanonical<T extends object>(params: T): T {
  const error = findNonCanonical(params, '/params');
  if (error)
    refuse(
      'invalid_params',
      `The parameters cannot be stored exactly: ${error.path.slice('/params/'.length) || 'params'} ${error.message}.`,
      { errors: [error] },
    );
  return params;
}

async function readRunManifest(scope: Scope, versionId: string): Promise<{ manifest: Manifest; sha256: string }> {
  const { sha256 } = await requireCodeFile(scope, versionId, 'manifest');
  const chunks: Buffer[] = [];
  for await (const chunk of await openBlob(scope, sha256)) chunks.push(chunk as Buffer);
  return { manifest: parseManifest(Buffer.concat(chunks).toString(), null), sha256 };
}

async function requireCodeFile(
  scope: Scope,
  versionId: string,
  kind: (typeof CODE_KINDS)[number],
): Promise<ArtifactRecord> {
  return (
    (await artifactOfKind(scope, versionId, kind)) ??
    refuse('code_not_synced', 'The fetched code was deleted. Synchronize again.', { versionId })
  );
}

/** Returns the existing run, or creates one and queues its job. */
async function startRun(
  work: Work,
  { versionId, params, force, manifestSha256, generator }: Request,
): Promise<RequestRunResult> {
  const target = await lockVersion(work, versionId);
  const { document, workspace } = target;
  const code = requireRunnableCode(target);
  const archive = await requireCodeFile(work, versionId, 'code');
  const manifest = await requireCodeFile(work, versionId, 'manifest');
  if (manifest.sha256 !== manifestSha256)
    refuse('code_not_synced', 'The code was replaced while the parameters were checked. Request the run again.', {
      versionId,
    });
  const key = runKey({ documentId: document._id, code, params });
  const existing = await currentRun(work, key);
  if (existing && !force && !(await hasFailed(work, existing)))
    return { run: await reuseRun(work, existing, target), created: false };

  await retireCurrentRun(work, key);
  const runId = work.newId('run');
  const input = { inputSha256: archive.sha256, inputBytes: archive.size, inputKinds: [...CODE_KINDS] };
  const jobRequest = { type: 'run' as const, documentId: document._id, versionId, ...input, environment: [], runId };
  const job = await queueJob(work, jobRequest, { atEnd: true });
  const run = await insert(work, 'runs', {
    _id: runId,
    key,
    current: true,
    documentId: document._id,
    versionId,
    versionIds: [versionId],
    code,
    codeSha256: archive.sha256,
    generator,
    params: canonicalJson(params),
    paramsHash: paramsHash(params),
    forced: force,
    jobId: job._id,
    result: null,
    createdAt: work.now,
    createdBy: work.actor.id,
    lock: 0,
  });
  work.audit({
    action: 'run.requested',
    documentId: document._id,
    workspaceId: workspace._id,
    versionId,
    jobId: job._id,
    summary: `A run of ${generator.name} ${generator.version} (${document.number}, commit ${code.commit.slice(0, 12)}) was requested.`,
    changes: {
      runId: { from: null, to: runId },
      params: { from: null, to: run.params },
      force: { from: null, to: force },
    },
  });
  return { run, created: true };
}

async function hasFailed(scope: Scope, { jobId, result }: RunRecord): Promise<boolean> {
  if (result) return false;
  const job = await find(scope, 'jobs', jobId);
  return !job || FAILED_STATUSES.includes(job.status);
}

const FAILED_STATUSES: JobRecord['status'][] = ['failed', 'cancelled'];

async function reuseRun(
  work: Work,
  run: RunRecord,
  { document, workspace, version }: VersionContext,
): Promise<RunRecord> {
  if (run.versionIds.includes(version._id)) {
    work.unchanged();
    return run;
  }
  const updated = await change(work, 'runs', run._id, { versionIds: [...run.versionIds, version._id] });
  work.audit({
    action: 'run.reused',
    documentId: document._id,
    workspaceId: workspace._id,
    versionId: version._id,
    jobId: run.jobId,
    summary: `The run ${run._id} with the same parameters on the same commit was requested in ${version.name} of ${document.number}.`,
    changes: { runId: { from: null, to: run._id } },
  });
  return updated;
}
