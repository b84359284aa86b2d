// Synchronizes a code draft with its repository.

import { Readable } from 'node:stream';
import pLimit from 'p-limit';
import { refuse } from '../../core/domain/errors.ts';
import { type TreeFile, writeArchive } from '../../core/domain/jobs/code-archive.ts';
import type { CodeLocation } from '../../core/domain/jobs/code-location.ts';
import { MANIFEST_FILE, parseManifest } from '../../core/domain/jobs/manifest.ts';
import { decodeUtf8 } from '../../core/domain/text/decode-utf8.ts';
import { assertPermitted, type Context } from '../../core/graphql.ts';
import { touchDocument } from '../../core/store/documents.ts';
import { replaceArtifact } from '../../core/store/files/artifacts.ts';
import { attachBlob, discardUpload, type StoredBlob, storeBlob } from '../../core/store/files/blobs.ts';
import { change } from '../../core/store/query/records.ts';
import type { ArtifactRecord, CodeRecord, VersionRecord } from '../../core/store/schema/collections.ts';
import { lockVersion, readVersionContext } from '../../core/store/versions.ts';
import { inTransaction, type Services, type Work } from '../../core/work.ts';
import { type FetchedCode, fetchCode } from './fetch-code.ts';
import { GitError } from './run-git.ts';
import { assertCanWriteCode } from './set-code.ts';

type Input = { versionId: string; waitSeconds?: number | null };
type File = Pick<ArtifactRecord, 'kind' | 'fileName' | 'contentType'> & { stored: StoredBlob };
type FetchedFiles = { versionId: string; location: CodeLocation; commit: string; files: File[] };

// Leaves time for the rest of the operation within the default time limit.
const DEFAULT_WAIT_SECONDS = 8;
const MAX_WAIT_SECONDS = 30;
// Each fetch runs git processes for up to 30 s.
const MAX_CONCURRENT_FETCHES = 2;
const limitFetches = pLimit(MAX_CONCURRENT_FETCHES);

/**
 * Fetches the code of a draft: resolves its ref to a commit and stores the files of its folder as an archive and its
 * manifest as a file. Checks first whether the draft can be written, then fetches, then writes in one transaction.
 * Throws `code_not_synced` if no location is set or it was changed meanwhile, `code_not_fetched` or `invalid_manifest`;
 * then stores nothing.
 */
export async function syncCode(
  _parent: unknown,
  { versionId, waitSeconds }: Input,
  context: Context,
): Promise<{ id: string }> {
  const { services, request, scope } = context;
  assertPermitted(request, 'edit');
  const target = await readVersionContext(scope, versionId);
  await assertCanWriteCode({ ...scope, actor: request.actor, now: services.clock() }, target);
  const location = requireLocation(target.version);

  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(1000 * requireWaitSeconds(waitSeconds))]);
  const fetched = await limitFetches(() => fetchOrThrow(location, services, signal));
  const manifest = fetched.files.find(({ path }) => path === MANIFEST_FILE);
  if (!manifest)
    return refuse('invalid_manifest', `The folder has no ${MANIFEST_FILE}.`, {
      errors: [{ path: '', message: 'is missing' }],
    });
  const text = decodeUtf8(manifest.bytes);
  if (text === null)
    return refuse('invalid_manifest', `${MANIFEST_FILE} is not valid UTF-8.`, {
      errors: [{ path: '', message: 'must be UTF-8' }],
    });
  parseManifest(
    text,
    fetched.files.map(({ path }) => path),
  );

  const files = await storeFiles(context, fetched.files, manifest);
  const input = { versionId, location, commit: fetched.commit, files };
  return inTransaction(services, request, attachCode, input).catch(async (error: unknown) => {
    for (const { stored } of files)
      await discardUpload(scope, stored.fileId).catch((err: unknown) =>
        services.log.warn({ err }, 'could not discard rejected code; the blob sweep will delete it'),
      );
    throw error;
  });
}

function requireWaitSeconds(waitSeconds: number | null | undefined): number {
  if (waitSeconds == null) return DEFAULT_WAIT_SECONDS;
  if (waitSeconds < 1 || waitSeconds > MAX_WAIT_SECONDS)
    refuse('validation_failed', `waitSeconds must be from 1 to ${MAX_WAIT_SECONDS}.`, {
      errors: [{ path: '/waitSeconds', message: `must be from 1 to ${MAX_WAIT_SECONDS}` }],
    });
  return waitSeconds;
}

function requireLocation({ _id, code }: Pick<VersionRecord, '_id' | 'code'>): CodeLocation {
  if (code) return { repoUrl: code.repoUrl, ref: code.ref, path: code.path };
  return refuse('code_not_synced', 'The draft has no code location. Set it first (PUT /versions/:id/code).', {
    versionId: _id,
  });
}

async function fetchOrThrow(location: CodeLocation, { limits }: Services, signal: AbortSignal): Promise<FetchedCode> {
  try {
    return await fetchCode(location, { policy: limits.git, signal });
  } catch (error) {
    if (error instanceof GitError)
      return refuse('code_not_fetched', `The code at ${location.repoUrl} could not be fetched: ${error.message}.`, {
        ...location,
      });
    throw error;
  }
}

async function storeFiles(
  { scope, services, request }: Context,
  files: readonly TreeFile[],
  manifest: TreeFile,
): Promise<File[]> {
  const limits = { maxBytes: services.limits.maxUploadBytes, signal: request.signal, now: services.clock() };
  const store = async (kind: string, fileName: string, contentType: string, bytes: Uint8Array): Promise<File> => {
    return { kind, fileName, contentType, stored: await storeBlob(scope, Readable.from([Buffer.from(bytes)]), limits) };
  };
  return [
    await store('code', 'code.tar', 'application/x-tar', writeArchive(files)),
    await store('manifest', MANIFEST_FILE, 'application/json', manifest.bytes),
  ];
}

/** Stores fetched code in the draft, unless its location was changed meanwhile. */
async function attachCode(work: Work, { versionId, location, commit, files }: FetchedFiles): Promise<{ id: string }> {
  const target = await lockVersion(work, versionId);
  const { document, workspace, version } = target;

  await assertCanWriteCode(work, target);
  const current = requireLocation(version);
  if (current.repoUrl !== location.repoUrl || current.ref !== location.ref || current.path !== location.path)
    refuse('code_not_synced', 'The code location was changed during the fetch. Synchronize again.', {
      versionId,
    });

  const changes: Record<string, { from: unknown; to: unknown }> = {
    commit: { from: version.code?.commit ?? null, to: commit },
  };
  for (const { kind, fileName, contentType, stored } of files) {
    await attachBlob(work, stored);
    const artifact = artifactOf(work, version, { kind, fileName, contentType, stored });
    const replaced = await replaceArtifact(work, artifact);
    changes[kind] = { from: replaced && auditFields(replaced), to: auditFields(artifact) };
  }
  const code: CodeRecord = { ...location, commit, syncedAt: work.now };
  await change(work, 'versions', versionId, { code, updatedAt: work.now });
  await touchDocument(work, document._id);
  work.audit({
    action: 'code.synced',
    documentId: document._id,
    workspaceId: workspace._id,
    versionId,
    summary: `The code of ${document.number} was fetched from ${location.repoUrl}, ref ${location.ref}: commit ${commit}.`,
    changes,
  });
  return { id: versionId };
}

function artifactOf(work: Work, { _id, documentId }: VersionRecord, { stored, ...file }: File): ArtifactRecord {
  return {
    _id: work.newId('art'),
    documentId,
    versionId: _id,
    ...file,
    size: stored.size,
    sha256: stored.sha256,
    generator: null,
    inputSha256: null,
    jobId: null,
    stale: false,
    createdAt: work.now,
    createdBy: work.actor.id,
  };
}

function auditFields({ size, sha256 }: ArtifactRecord): { size: number; sha256: string } {
  return { size, sha256 };
}
