import { queueJob } from '../core/commands/queue-job.ts';
import { canonicalJson, withoutCanonicalJson } from '../core/domain/audit/canonical-json.ts';
import { refuse } from '../core/domain/errors.ts';
import { isCodeDocument, syncedCode } from '../core/domain/jobs/code-state.ts';
import { type Manifest, readManifest } from '../core/domain/jobs/manifest.ts';
import { paramsHash, runKey } from '../core/domain/jobs/run-key.ts';
import { assertWritablePlace } from '../core/domain/versions/lifecycle.ts';
import { type Context, permitRequest } from '../core/graphql.ts';
import { artifactOfKind } from '../core/store/files/artifacts.ts';
import { openBlob } from '../core/store/files/blobs.ts';
import { currentRun, retireRuns } from '../core/store/jobs/runs.ts';
import { change, find, insert } from '../core/store/query/records.ts';
import type { Scope } from '../core/store/query/scope.ts';
import type { ArtifactRecord, JobRecord, RunRecord } from '../core/store/schema/collections.ts';
import { lockVersion, type VersionInPlace, versionInPlace } from '../core/store/versions.ts';
import { inTransaction, type Work } from '../core/work.ts';
import { completeParams } from './check-params.ts';
import { CODE_KINDS } from './code/set-code.ts';

type Input = { versionId: string; params?: unknown; force?: boolean | null };
type Request = {
  versionId: string;
  params: Record<string, unknown>;
  force: boolean;
  manifestSha256: string;
  generator: RunRecord['generator'];
};

/** A run, and whether it was made for this request. */
export type RequestRunResult = { run: RunRecord; created: boolean };

/**
 * Asks for a run of a code draft or version. Equal parameters on the same commit are the run that is there already, unless it failed or `force` is set.
 * The defaults of the manifest are filled in first; refuses with `invalid_params`, and with `code_not_synced` while there is nothing to run.
 */
export async function requestRun(
  _parent: unknown,
  { versionId, params, force }: Input,
  context: Context,
): Promise<RequestRunResult> {
  const { services, request, scope } = context;
  permitRequest(request, 'edit');
  const place = await versionInPlace(scope, versionId);
  mayRun(place);
  const { manifest, sha256 } = await manifestOf(scope, versionId);

  const given = hasCanonicalForm(objectOf(params));
  const complete = hasCanonicalForm(await completeParams({ schema: manifest.params, params: given }));

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

function mayRun(place: VersionInPlace): ReturnType<typeof syncedCode> {
  isCodeDocument(place.document);
  assertWritablePlace(place);
  return syncedCode(place.version);
}

function objectOf(params: unknown): object {
  if (params == null) return {};
  if (typeof params === 'object' && !Array.isArray(params)) return params;
  return refuse('invalid_params', 'The parameters are an object: {"width": 800}.', {
    errors: [{ path: '/params', message: 'must be an object' }],
  });
}

// It would be another text, or no number, once it is stored.
function hasCanonicalForm<T extends object>(params: T): T {
  const fault = withoutCanonicalJson(params, '/params');
  if (fault)
    refuse(
      'invalid_params',
      `The parameters cannot be kept as they are: ${fault.path.slice('/params/'.length) || 'params'} ${fault.message}.`,
      {
        errors: [fault],
      },
    );
  return params;
}

async function manifestOf(scope: Scope, versionId: string): Promise<{ manifest: Manifest; sha256: string }> {
  const { sha256 } = await codeFile(scope, versionId, 'manifest');
  const chunks: Buffer[] = [];
  for await (const chunk of await openBlob(scope, sha256)) chunks.push(chunk as Buffer);
  return { manifest: readManifest(Buffer.concat(chunks).toString(), null), sha256 };
}

async function codeFile(scope: Scope, versionId: string, kind: (typeof CODE_KINDS)[number]): Promise<ArtifactRecord> {
  return (
    (await artifactOfKind(scope, versionId, kind)) ??
    refuse('code_not_synced', 'The code is not here any more. Synchronise again.', { versionId })
  );
}

/** Answers with the run that is there, or makes one and queues its job. */
async function startRun(
  work: Work,
  { versionId, params, force, manifestSha256, generator }: Request,
): Promise<RequestRunResult> {
  const place = await lockVersion(work, versionId);
  const { document, workspace } = place;
  const code = mayRun(place);
  const [archive, manifest] = [await codeFile(work, versionId, 'code'), await codeFile(work, versionId, 'manifest')];
  if (manifest.sha256 !== manifestSha256)
    refuse('code_not_synced', 'The code was replaced while the parameters were checked. Ask again.', { versionId });
  const key = runKey({ documentId: document._id, code, params });
  const known = await currentRun(work, key);
  if (known && !force && !(await cameToNothing(work, known)))
    return { run: await reused(work, known, place), created: false };

  await retireRuns(work, key);
  const runId = work.newId('run');
  const input = { inputSha256: archive.sha256, inputKinds: [...CODE_KINDS] };
  const order = { type: 'run' as const, documentId: document._id, versionId, ...input, environment: [], runId };
  const job = await queueJob(work, order, { atEnd: true });
  const run = await insert(work, 'runs', {
    ...{ _id: runId, key, current: true, documentId: document._id, versionId, versionIds: [versionId] },
    ...{ code, codeSha256: archive.sha256, generator, params: canonicalJson(params), paramsHash: paramsHash(params) },
    ...{ forced: force, jobId: job._id, result: null, createdAt: work.now, createdBy: work.actor.id, lock: 0 },
  });
  work.audit({
    action: 'run.requested',
    documentId: document._id,
    workspaceId: workspace._id,
    versionId,
    jobId: job._id,
    summary: `A run of ${generator.name} ${generator.version} (${document.number}, commit ${code.commit.slice(0, 12)}) was asked for.`,
    changes: {
      runId: { from: null, to: runId },
      params: { from: null, to: run.params },
      force: { from: null, to: force },
    },
  });
  return { run, created: true };
}

async function cameToNothing(scope: Scope, { jobId, result }: RunRecord): Promise<boolean> {
  if (result) return false;
  const job = await find(scope, 'jobs', jobId);
  return !job || ENDED_IN_VAIN.includes(job.status);
}

const ENDED_IN_VAIN: JobRecord['status'][] = ['failed', 'cancelled'];

async function reused(
  work: Work,
  run: RunRecord,
  { document, workspace, version }: VersionInPlace,
): Promise<RunRecord> {
  if (run.versionIds.includes(version._id)) {
    work.unchanged();
    return run;
  }
  const shown = await change(work, 'runs', run._id, { versionIds: [...run.versionIds, version._id] });
  work.audit({
    action: 'run.reused',
    documentId: document._id,
    workspaceId: workspace._id,
    versionId: version._id,
    jobId: run.jobId,
    summary: `The run ${run._id} with the same parameters on the same commit was asked for in ${version.name} of ${document.number}.`,
    changes: { runId: { from: null, to: run._id } },
  });
  return shown;
}
