import type { FileUpload } from 'graphql-upload-minimal';
import type { Actor } from '../core/domain/access/actor.ts';
import { withContent } from '../core/domain/access/idempotency-key.ts';
import { hasAbility, assertAbility } from '../core/domain/access/permissions.ts';
import { artifactKind } from '../core/domain/artifact-kind.ts';
import type { AssemblyLine } from '../core/domain/assembly/asm-references.ts';
import { readAsmJsonFile } from '../core/domain/assembly/read-asm-json.ts';
import { isOfb, OFB_MARK_BYTES } from '../core/domain/jobs/ofb.ts';
import { safeContentType, safeFileName } from '../core/domain/text/file-name.ts';
import { type Context, refuseStale } from '../core/graphql.ts';
import { ASM_JSON } from '../core/store/assembly/references.ts';
import { discardUpload, headOfStored, readStored, type StoredBlob, storeBlob } from '../core/store/files/blobs.ts';
import type { ArtifactRecord } from '../core/store/schema/collections.ts';
import { type Command, inTransaction } from '../core/work.ts';
import { admitFile, attachFile, structuresInTurn } from './attach-file.ts';
import { admitResult, attachResult } from './attach-result.ts';

export type UploadInput = {
  versionId: string;
  kind: string;
  file: Promise<FileUpload>;
  generator?: string | null;
  inputSha256?: string | null;
  attempt?: number | null;
  /** A STEP assembly is to be taken apart. */
  split?: boolean | null;
};

/** An upload whose bytes are in the store. */
export type StoredFile = Omit<UploadInput, 'file'> & {
  stored: StoredBlob;
  fileName: string;
  contentType: string;
  /** What an asm.json uses. */
  lines: AssemblyLine[] | null;
  /** What the job that it queues requires of its engine, if not what its kind does. */
  environment?: readonly string[] | null;
};

/**
 * Stores a file: first whether it would be taken at all, then its bytes, then, in one transaction, the record that names them. Whatever
 * is refused after its bytes were read leaves nothing behind.
 */
export async function uploadArtifact(
  _parent: unknown,
  { file, ...input }: UploadInput,
  context: Context,
): Promise<ArtifactRecord> {
  const { services, request, scope } = context;
  const asWorker = storesResult(request.actor, input);
  await (asWorker ? admitResult : admitFile)(context, input);
  refuseStale(request);

  const { filename, mimetype, createReadStream } = await file;
  const maxBytes = Math.min(
    services.limits.maxUploadBytes,
    artifactKind(input.kind).maxBytes ?? Number.POSITIVE_INFINITY,
  );
  const limits = { maxBytes, signal: request.signal, now: services.clock() };
  const stored = await storeBlob(scope, createReadStream(), limits);

  const attach: Command<StoredFile, ArtifactRecord> = asWorker ? attachResult : attachFile;
  try {
    const lines = input.kind === ASM_JSON ? readAsmJsonFile(await readStored(scope, stored)) : null;
    const environment = await environmentFor(context, input.kind, stored);
    const described = {
      ...input,
      stored,
      lines,
      environment,
      fileName: safeFileName(filename),
      contentType: safeContentType(mimetype),
    };
    const once = request.once && withContent(request.once, stored.sha256);
    const write = () => inTransaction(services, { ...request, once }, attach, described);
    return await (lines ? structuresInTurn(write) : write());
  } catch (error) {
    await discardUpload(scope, stored.fileId).catch((err: unknown) =>
      services.log.warn({ err }, 'the sweeper will delete a refused upload'),
    );
    throw error;
  }
}

/** Workers store results; an administrator does when the upload says what made it, or when the kind is open to workers alone. */
function storesResult(actor: Actor, { kind, generator, inputSha256, attempt }: Omit<UploadInput, 'file'>): boolean {
  if (actor.role === 'worker') return true;
  if (actor.role !== 'system') assertAbility({ role: actor.role }, 'edit');
  if (actor.role !== 'system' && !hasAbility(actor.role, 'work')) return false;
  const { user, worker } = artifactKind(kind);
  return generator != null || inputSha256 != null || attempt != null || (worker.length > 0 && !user.length);
}

// An OFB source waits for an engine outside where there is one; else the built-in engine takes it, and says that it cannot.
async function environmentFor(
  { scope, services }: Context,
  kind: string,
  stored: StoredBlob,
): Promise<readonly string[] | null> {
  if (kind !== 'source' || services.limits.ofbWorker === 'none') return null;
  return isOfb(await headOfStored(scope, stored, OFB_MARK_BYTES)) ? ['engine:classcad'] : null;
}
