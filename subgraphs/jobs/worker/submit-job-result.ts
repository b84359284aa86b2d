import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { FileUpload } from 'graphql-upload-minimal';
import { formatAddress } from '../../core/domain/assembly/address.ts';
import { readAsmJson } from '../../core/domain/assembly/read-asm-json.ts';
import { refuse } from '../../core/domain/errors.ts';
import { endedAlready, holderOf } from '../../core/domain/jobs/job-fence.ts';
import { complete, heldBy } from '../../core/domain/jobs/job-lifecycle.ts';
import {
  type MadeDocument,
  ofGenerator,
  type RunResult,
  readRunResult,
  withAddresses,
} from '../../core/domain/jobs/run-result.ts';
import { SPLIT } from '../../core/domain/jobs/split.ts';
import { pluralize } from '../../core/domain/text/pluralize.ts';
import { type Context, permitRequest } from '../../core/graphql.ts';
import { oneOfFew } from '../../core/platform/one-of-few.ts';
import { ASM_JSON } from '../../core/store/assembly/references.ts';
import { discardUpload, storeBlob } from '../../core/store/files/blobs.ts';
import { changeJob } from '../../core/store/jobs/jobs.ts';
import { change, get, lock } from '../../core/store/query/records.ts';
import type { Scope } from '../../core/store/query/scope.ts';
import type { JobRecord, RunRecord } from '../../core/store/schema/collections.ts';
import { lockVersion } from '../../core/store/versions.ts';
import { type Command, inTransaction, type Work } from '../../core/work.ts';
import {
  createGenerated,
  type Delivered,
  freshContent,
  type GeneratedContent,
  type GeneratedDocument,
} from '../create-generated.ts';
import { recordTransition, theJob } from '../record-transition.ts';
import { acceptSplit, splitContents } from './accept-split.ts';

type Input = { id: string; file: Promise<FileUpload>; attempt?: number | null; workerId?: string | null };
/** What the two sorts of jobs that make documents may deliver, what of it is there already, and how it is accepted. */
type Sort = {
  largest: number;
  mostDocuments: number;
  contents(scope: Scope, result: RunResult, job: JobRecord): Promise<GeneratedContent>;
  accept: Command<Delivered, JobRecord>;
};
const MiB = 2 ** 20;
const OF_RUN: Sort = {
  largest: 64 * MiB,
  mostDocuments: 200,
  contents: contentsOfRun,
  accept: acceptRun,
};
const OF_SPLIT: Sort = { largest: 256 * MiB, mostDocuments: 500, contents: splitContents, accept: acceptSplit };
// Each holds its archive in memory.
const DELIVERIES = 2;
const inTurn = oneOfFew(DELIVERIES);

/**
 * The worker that holds a run hands over what the generator made, or of a STEP assembly what it was taken apart into, and with it the job is done: first everything is
 * checked and its bytes are stored, then one transaction creates the documents with their drafts, files, references and versions, and ends the job. Whatever is refused leaves no document.
 * Repeated with the same attempt, it has no second effect.
 */
export async function submitJobResult(
  _parent: unknown,
  { file, ...said }: Input,
  context: Context,
): Promise<JobRecord> {
  const { services, request, scope } = context;
  permitRequest(request, 'work');
  const job = await get(scope, 'jobs', said.id);
  const by = holderOf(request.actor, said);
  const { createReadStream } = await file;
  if (endedAlready(job, by, 'complete')) return job;
  heldBy(job, by);
  const sort = job.type === 'run' ? OF_RUN : job.format === SPLIT ? OF_SPLIT : null;
  if (!sort)
    return refuse(
      'validation_failed',
      `${theJob(job)} makes files, not documents. Upload them, then complete the job.`,
      { errors: [] },
    );

  return inTurn(async () => {
    const result = readRunResult(await received(createReadStream(), sort.largest), sort.mostDocuments);
    // their ids come first: the files of an assembly name the documents of its parts
    const contents = await sort.contents(scope, result, job);
    try {
      for (const document of result.documents) await storeFiles(context, document, contents);
      // once for each attempt as it is, with a key or without
      return await inTransaction(services, { ...request, once: undefined }, sort.accept, { ...said, result, contents });
    } catch (error) {
      const stored = [...contents.values()].flatMap(({ files }) => files.map(({ blob }) => blob));
      for (const { fileId } of stored)
        await discardUpload(scope, fileId).catch((err: unknown) =>
          services.log.warn({ err }, 'the sweeper will delete a refused result'),
        );
      throw error;
    }
  });
}

async function contentsOfRun(scope: Scope, result: RunResult, { runId }: JobRecord): Promise<GeneratedContent> {
  ofGenerator(result, (await get(scope, 'runs', String(runId))).generator);
  return new Map(result.documents.map(({ key }) => [key, freshContent()]));
}

async function received(stream: Readable, largest: number): Promise<Buffer> {
  let size = 0;
  stream.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > largest) stream.destroy(new Error('too large'));
  });
  try {
    return await buffer(stream);
  } catch (error) {
    if (size > largest)
      return refuse('file_too_large', `The result of this job may have ${largest} bytes.`, { maxBytes: largest });
    throw error;
  }
}

async function storeFiles(
  { scope, services, request }: Context,
  { key, files }: MadeDocument,
  contents: GeneratedContent,
): Promise<void> {
  const limits = { maxBytes: services.limits.maxUploadBytes, signal: request.signal, now: services.clock() };
  const own = documentIn(contents, key);
  if (own.there) return;
  for (const { kind, bytes } of files) {
    const content =
      kind === ASM_JSON
        ? Buffer.from(withAddresses(bytes, (used) => addressOf(documentIn(contents, used))))
        : Buffer.from(bytes);
    if (kind === ASM_JSON) own.lines = readAsmJson(content.toString());
    own.files.push({ kind, blob: await storeBlob(scope, Readable.from([content]), limits) });
  }
}

// The version that is made of it together with it, so that an assembly keeps the parts it was made with.
function addressOf({ id, n }: GeneratedDocument): string {
  return formatAddress({ target: id, at: { as: 'version', n } });
}

function documentIn(contents: GeneratedContent, key: string): GeneratedDocument {
  const found = contents.get(key);
  if (!found) throw new Error(`The result names the document ${key}, which it does not hold`);
  return found;
}

/** Creates what the run made and ends its job as done. */
async function acceptRun(work: Work, { id, attempt, workerId, result, contents }: Delivered): Promise<JobRecord> {
  const by = holderOf(work.actor, { attempt, workerId });
  const job = await lock(work, 'jobs', id);
  if (endedAlready(job, by, 'complete')) {
    work.unchanged();
    return job;
  }
  heldBy(job, by);
  const run: RunRecord = await lock(work, 'runs', String(job.runId));
  const place = await lockVersion(work, run.versionId);

  const { engine, isolation } = result;
  const { name, version } = run.generator;
  const generated = {
    runId: run._id,
    generatorId: run.documentId,
    versionId: run.versionId,
    n: place.version.n,
    commit: run.code.commit,
  };
  const documentIds = await createGenerated(work, result.documents, contents, {
    ...{ place, job, engine, createdBy: run.createdBy, originOf: (key) => ({ generated: { ...generated, key } }) },
    ...{ generator: `${name.replaceAll(' ', '-')}/${version}`, inputSha256: run.codeSha256 },
    ...{ action: 'document.generated', comment: `Made by ${name} ${version}.` },
    deed: `made by ${name} ${version} (${place.document.number}) at commit ${run.code.commit.slice(0, 12)}`,
  });
  await change(work, 'runs', run._id, { result: { documentIds, engine, isolation, at: work.now } });
  const done = await changeJob(work, job, complete(job, work.now), { now: work.now });
  recordTransition(work, job, done, {
    action: 'job.completed',
    summary: `${theJob(job)} is done: it made ${pluralize(documentIds.length, 'document')}.`,
  });
  return done;
}
