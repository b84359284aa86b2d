// Accepts the documents that a run or split job produced.

import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { FileUpload } from 'graphql-upload-minimal';
import pLimit from 'p-limit';
import { assertValidResult, resultInMemory } from '../../core/commands/results/assert-valid-result.ts';
import { formatAddress } from '../../core/domain/assembly/address.ts';
import { parseAsmJson } from '../../core/domain/assembly/parse-asm-json.ts';
import { refuse } from '../../core/domain/errors.ts';
import { holderOf, isRepeatedEnd } from '../../core/domain/jobs/job-fence.ts';
import { assertHolder, complete } from '../../core/domain/jobs/job-lifecycle.ts';
import {
  assertGenerator,
  type GeneratedDocument,
  parseRunResult,
  type RunResult,
  replaceKeys,
} from '../../core/domain/jobs/run-result.ts';
import { SPLIT_FORMAT } from '../../core/domain/jobs/split.ts';
import { pluralize } from '../../core/domain/text/pluralize.ts';
import { assertPermitted, type Context } from '../../core/graphql.ts';
import { ASM_JSON } from '../../core/store/assembly/references.ts';
import { discardUpload, storeBlob } from '../../core/store/files/blobs.ts';
import { changeJob } from '../../core/store/jobs/jobs.ts';
import { change, get, lock } from '../../core/store/query/records.ts';
import type { Scope } from '../../core/store/query/scope.ts';
import type { JobRecord, RunRecord } from '../../core/store/schema/collections.ts';
import { lockVersion } from '../../core/store/versions.ts';
import { type Command, inTransaction, type Work } from '../../core/work.ts';
import {
  createGeneratedDocuments,
  type JobDelivery,
  newStagedDocument,
  type StagedDocument,
  type StagedDocuments,
} from '../create-generated-documents.ts';
import { describeJob, recordTransition } from '../record-transition.ts';
import { acceptSplit, stageSplitDocuments } from './accept-split.ts';

type Input = { id: string; file: Promise<FileUpload>; attempt?: number | null; workerId?: string | null };
/** The limits of a kind of result; `stage` assigns ids to its documents, `accept` creates them. */
type ResultKind = {
  maxBytes: number;
  maxDocuments: number;
  stage(scope: Scope, result: RunResult, job: JobRecord): Promise<StagedDocuments>;
  accept: Command<JobDelivery, JobRecord>;
};
const MiB = 2 ** 20;
const RUN_RESULT: ResultKind = {
  maxBytes: 64 * MiB,
  maxDocuments: 200,
  stage: stageRunDocuments,
  accept: acceptRun,
};
const SPLIT_RESULT: ResultKind = {
  maxBytes: 256 * MiB,
  maxDocuments: 500,
  stage: stageSplitDocuments,
  accept: acceptSplit,
};
// Each result is held in memory.
const MAX_CONCURRENT_RESULTS = 2;
const limitResults = pLimit(MAX_CONCURRENT_RESULTS);

/**
 * Accepts the result of a run or split job from the worker that holds it, and completes the job. First validates the
 * result and stores its files, then one transaction creates the documents with their drafts, files, references and
 * versions. A rejected result leaves no document. Has no effect if repeated with the same attempt.
 */
export async function submitJobResult(
  _parent: unknown,
  { file, ...input }: Input,
  context: Context,
): Promise<JobRecord> {
  const { services, request, scope } = context;
  assertPermitted(request, 'work');
  const job = await get(scope, 'jobs', input.id);
  const holder = holderOf(request.actor, input);
  const { createReadStream } = await file;
  if (isRepeatedEnd(job, holder, 'complete')) return job;
  assertHolder(job, holder);
  const kind = resultKindOf(job);
  if (!kind)
    return refuse(
      'validation_failed',
      `${describeJob(job)} has files as results. Upload them, then complete the job.`,
      {
        errors: [],
      },
    );

  return limitResults(async () => {
    const result = parseRunResult(await readArchive(createReadStream(), kind.maxBytes), kind.maxDocuments);
    for (const { files } of result.documents)
      for (const { kind, bytes } of files) await assertValidResult(resultInMemory(kind, bytes));
    // Ids are assigned first, because the files of assemblies contain the ids of their parts.
    const stagedDocuments = await kind.stage(scope, result, job);
    try {
      for (const document of result.documents) await storeFiles(context, document, stagedDocuments);
      // Needs no idempotency key, because a repeated request is recognized by its attempt.
      const delivery: JobDelivery = { ...input, result, stagedDocuments };
      return await inTransaction(services, { ...request, idempotency: undefined }, kind.accept, delivery);
    } catch (error) {
      const stored = [...stagedDocuments.values()].flatMap(({ files }) => files.map(({ blob }) => blob));
      for (const { fileId } of stored)
        await discardUpload(scope, fileId).catch((err: unknown) =>
          services.log.warn({ err }, 'could not discard a rejected result; the blob sweep will delete it'),
        );
      throw error;
    }
  });
}

function resultKindOf({ type, format }: JobRecord): ResultKind | null {
  if (type === 'run') return RUN_RESULT;
  return format === SPLIT_FORMAT ? SPLIT_RESULT : null;
}

async function stageRunDocuments(scope: Scope, result: RunResult, { runId }: JobRecord): Promise<StagedDocuments> {
  assertGenerator(result, (await get(scope, 'runs', String(runId))).generator);
  return new Map(result.documents.map(({ key }) => [key, newStagedDocument()]));
}

async function readArchive(stream: Readable, maxBytes: number): Promise<Buffer> {
  let size = 0;
  stream.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > maxBytes) stream.destroy(new Error('too large'));
  });
  try {
    return await buffer(stream);
  } catch (error) {
    if (size > maxBytes)
      return refuse('file_too_large', `The result of this job can have at most ${maxBytes} bytes.`, { maxBytes });
    throw error;
  }
}

async function storeFiles(
  { scope, services, request }: Context,
  { key, files }: GeneratedDocument,
  stagedDocuments: StagedDocuments,
): Promise<void> {
  const limits = { maxBytes: services.limits.maxUploadBytes, signal: request.signal, now: services.clock() };
  const staged = requireStaged(stagedDocuments, key);
  if (staged.exists) return;
  for (const { kind, bytes } of files) {
    const content =
      kind === ASM_JSON
        ? Buffer.from(replaceKeys(bytes, (usedKey) => addressOf(requireStaged(stagedDocuments, usedKey))))
        : Buffer.from(bytes);
    if (kind === ASM_JSON) staged.lines = parseAsmJson(content.toString());
    staged.files.push({ kind, blob: await storeBlob(scope, Readable.from([content]), limits) });
  }
}

// Returns an address pinned to the version of the staged document, so that an assembly keeps the parts it was generated
// with.
function addressOf({ id, n }: StagedDocument): string {
  return formatAddress({ target: id, at: { as: 'version', n } });
}

function requireStaged(stagedDocuments: StagedDocuments, key: string): StagedDocument {
  const found = stagedDocuments.get(key);
  if (!found) throw new Error(`The result references the document ${key}, which it does not contain`);
  return found;
}

/** Creates the documents of a run and completes its job. */
async function acceptRun(
  work: Work,
  { id, attempt, workerId, result, stagedDocuments }: JobDelivery,
): Promise<JobRecord> {
  const holder = holderOf(work.actor, { attempt, workerId });
  const job = await lock(work, 'jobs', id);
  if (isRepeatedEnd(job, holder, 'complete')) {
    work.unchanged();
    return job;
  }
  assertHolder(job, holder);
  const run: RunRecord = await lock(work, 'runs', String(job.runId));
  const generatorVersion = await lockVersion(work, run.versionId);

  const { engine, isolation } = result;
  const { name, version } = run.generator;
  const generated = {
    runId: run._id,
    generatorId: run.documentId,
    versionId: run.versionId,
    n: generatorVersion.version.n,
    commit: run.code.commit,
  };
  const documentIds = await createGeneratedDocuments(work, result.documents, stagedDocuments, {
    origin: generatorVersion,
    job,
    engine,
    createdBy: run.createdBy,
    originFieldsOf: (key) => ({ generated: { ...generated, key } }),
    generator: `${name.replaceAll(' ', '-')}/${version}`,
    inputSha256: run.codeSha256,
    action: 'document.generated',
    comment: `Created by ${name} ${version}.`,
    description: `created by ${name} ${version} (${generatorVersion.document.number}) at commit ${run.code.commit.slice(0, 12)}`,
  });
  await change(work, 'runs', run._id, { result: { documentIds, engine, isolation, at: work.now } });
  const done = await changeJob(work, job, complete(job, work.now), { now: work.now });
  recordTransition(work, job, done, {
    action: 'job.completed',
    summary: `${describeJob(job)} is done: it created ${pluralize(documentIds.length, 'document')}.`,
  });
  return done;
}
