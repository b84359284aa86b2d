// Uploads a file to a draft, or a worker's result to drafts and versions.
import type { FileUpload } from 'graphql-upload-minimal';
import { assertValidResult } from '../core/commands/results/assert-valid-result.ts';
import type { Actor } from '../core/domain/access/actor.ts';
import { withContent } from '../core/domain/access/idempotency-key.ts';
import { assertAbility, hasAbility } from '../core/domain/access/permissions.ts';
import { artifactKind, assertContentType } from '../core/domain/artifact-kind.ts';
import type { AssemblyLine } from '../core/domain/assembly/asm-references.ts';
import { parseUploadedAsmJson } from '../core/domain/assembly/parse-asm-json.ts';
import { FORMATS, formatOf } from '../core/domain/formats/formats.ts';
import { isOfb, OFB_SIGNATURE_BYTES } from '../core/domain/jobs/ofb.ts';
import { safeContentType, safeFileName } from '../core/domain/text/file-name.ts';
import { assertNotStale, type Context } from '../core/graphql.ts';
import { ASM_JSON } from '../core/store/assembly/references.ts';
import { discardUpload, readStored, readStoredRange, type StoredBlob, storeBlob } from '../core/store/files/blobs.ts';
import type { ArtifactRecord } from '../core/store/schema/collections.ts';
import { type Command, inTransaction } from '../core/work.ts';
import { assertCanUpload, attachFile, serializeStructureWrites } from './attach-file.ts';
import { assertCanUploadResult, attachResult } from './attach-result.ts';

export type UploadInput = {
  versionId: string;
  kind: string;
  file: Promise<FileUpload>;
  generator?: string | null;
  inputSha256?: string | null;
  attempt?: number | null;
  /** Split a STEP assembly into documents. */
  split?: boolean | null;
};

/** An upload whose bytes are in the store. */
export type StoredFile = Omit<UploadInput, 'file'> & {
  stored: StoredBlob;
  fileName: string;
  contentType: string;
  /** The lines of an asm.json; null for other kinds. */
  lines: AssemblyLine[] | null;
  /** The environment that the queued job requires, if it differs from the default of the kind. */
  environment?: readonly string[] | null;
};

/**
 * Stores a file in three steps: checks whether it would be accepted, stores its bytes, then records it in one
 * transaction. If an upload is rejected after its bytes were stored, deletes them.
 */
export async function uploadArtifact(
  _parent: unknown,
  { file, ...input }: UploadInput,
  context: Context,
): Promise<ArtifactRecord> {
  const { services, request, scope } = context;
  assertUploader(request.actor);
  const { maxBytes: maxKindBytes } = artifactKind(input.kind);
  const isResult = isResultUpload(request.actor, input);
  await (isResult ? assertCanUploadResult : assertCanUpload)(context, input);
  assertNotStale(request);

  const { filename, mimetype, createReadStream } = await file;
  assertContentType(input.kind, mimetype);
  const maxBytes = Math.min(services.limits.maxUploadBytes, maxKindBytes ?? Number.POSITIVE_INFINITY);
  const limits = { maxBytes, signal: request.signal, now: services.clock() };
  const stored = await storeBlob(scope, createReadStream(), limits);

  const attach: Command<StoredFile, ArtifactRecord> = isResult ? attachResult : attachFile;
  try {
    if (isResult) await validateResult(context, input.kind, stored);
    const lines = input.kind === ASM_JSON ? parseUploadedAsmJson(await readStored(scope, stored)) : null;
    const environment = await requiredEnvironment(context, input.kind, stored);
    const described = {
      ...input,
      stored,
      lines,
      environment,
      fileName: safeFileName(filename),
      contentType: contentTypeOf(filename, mimetype),
    };
    const idempotency = request.idempotency && withContent(request.idempotency, stored.sha256);
    const write = () => inTransaction(services, { ...request, idempotency }, attach, described);
    return await (lines ? serializeStructureWrites(write) : write());
  } catch (error) {
    await discardUpload(scope, stored.fileId).catch((err: unknown) =>
      services.log.warn({ err }, 'could not discard a rejected upload; the blob sweep will delete it'),
    );
    throw error;
  }
}

async function validateResult({ scope, services }: Context, kind: string, stored: StoredBlob): Promise<void> {
  const { size } = stored;
  const read = (start: number, end: number) => readStoredRange(scope, stored, start, end);
  if (!(await assertValidResult({ kind, size, read })))
    services.log.warn({ kind, size }, 'accepted a result whose validation took too much time or memory');
}

/** Only workers and editors upload. */
function assertUploader({ role }: Actor): void {
  if (role !== 'worker' && role !== 'system') assertAbility({ role }, 'edit');
}

/** Workers upload results; so does an administrator who names an origin or uploads a kind reserved for workers. */
function isResultUpload(actor: Actor, { kind, generator, inputSha256, attempt }: Omit<UploadInput, 'file'>): boolean {
  if (actor.role === 'worker') return true;
  if (actor.role !== 'system' && !hasAbility(actor.role, 'work')) return false;
  const { user, worker } = artifactKind(kind);
  return generator != null || inputSha256 != null || attempt != null || (worker.length > 0 && !user.length);
}

// Many clients do not know the media types of CAD files.
function contentTypeOf(fileName: string | null | undefined, mimetype: string | null | undefined): string {
  const sent = safeContentType(mimetype);
  const format = sent === 'application/octet-stream' ? formatOf(fileName ?? '') : null;
  return format ? FORMATS[format].mediaType : sent;
}

// An OFB source waits for the external engine if there is one; otherwise the built-in engine takes the job and fails
// it.
async function requiredEnvironment(
  { scope, services }: Context,
  kind: string,
  stored: StoredBlob,
): Promise<readonly string[] | null> {
  if (kind !== 'source' || services.limits.ofbWorker === 'none') return null;
  return isOfb(await readStoredRange(scope, stored, 0, OFB_SIGNATURE_BYTES)) ? ['engine:classcad'] : null;
}
