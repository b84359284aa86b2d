// Changes addresses in the asm.json of a draft.
import { assertNoCycle } from '../../core/commands/assert-no-cycle.ts';
import { artifactKind } from '../../core/domain/artifact-kind.ts';
import { rewriteLocations } from '../../core/domain/assembly/asm-edit.ts';
import type { AssemblyLine } from '../../core/domain/assembly/asm-references.ts';
import { parseRewrittenAsmJson } from '../../core/domain/assembly/parse-asm-json.ts';
import type { AddressChange } from '../../core/domain/assembly/reference-update.ts';
import type { AuditSummary } from '../../core/domain/audit/audit-event.ts';
import { refuse } from '../../core/domain/errors.ts';
import type { Context } from '../../core/graphql.ts';
import { ASM_JSON } from '../../core/store/assembly/references.ts';
import { artifactOfKind } from '../../core/store/files/artifacts.ts';
import { inMemoryBlob, openBlob, type StoredBlob } from '../../core/store/files/blobs.ts';
import { find } from '../../core/store/query/records.ts';
import type { Scope } from '../../core/store/query/scope.ts';
import { withSnapshot } from '../../core/store/query/snapshot.ts';
import type { ArtifactRecord } from '../../core/store/schema/collections.ts';
import { lockVersion, readVersionContext, type VersionContext } from '../../core/store/versions.ts';
import { type Command, inTransaction } from '../../core/work.ts';
import { auditFields } from '../artifact-record.ts';
import { assertCanStoreFile, serializeStructureWrites, storeInDraft } from '../attach-file.ts';

/** The planned changes to an asm.json; callers can add fields. Must be plain JSON. */
export type Plan = { changed: readonly AddressChange[] };

export type RewriteOptions<P extends Plan> = {
  versionId: string;
  /** Plans the changes. Called again in the transaction; if the plan differs then, the rewrite restarts. */
  planChanges(scope: Scope): Promise<P>;
  /** The action and summary of the audit record. */
  auditEntry(target: VersionContext, plan: P): AuditSummary;
  /** Only checks, without writing. Throws the errors that the write would throw. */
  dryRun?: boolean;
};

/** The plan and the new asm.json; `artifact` is null if there was nothing to change or for a dry run. */
export type RewriteResult<P extends Plan> = { plan: P; target: VersionContext; artifact: ArtifactRecord | null };

const MAX_ATTEMPTS = 10;

/**
 * Replaces addresses of references in a draft. Only these strings change in its asm.json, which is stored as if it had
 * been uploaded. Prepares the new file first, then one transaction checks the plan again and attaches the file; if the
 * draft or the plan changed meanwhile, starts over. Throws the errors of an upload, including `reference_cycle`.
 */
export async function rewriteReferences<P extends Plan>(
  context: Context,
  options: RewriteOptions<P>,
): Promise<RewriteResult<P>> {
  const { services, scope, request } = context;
  const { versionId, planChanges, dryRun = false } = options;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const { target, plan, file } = await withSnapshot(services.mongo, async (snapshot) => {
      const target = await readVersionContext(snapshot, versionId);
      await assertCanStoreFile({ ...snapshot, actor: request.actor, now: services.clock() }, target, ASM_JSON);
      return { target, plan: await planChanges(snapshot), file: await artifactOfKind(snapshot, versionId, ASM_JSON) };
    });
    if (!file || !plan.changed.length) return { plan, target, artifact: null };

    const before = await readContent(scope, file);
    if (!before) continue;
    const content = rewriteLocations(before, plan.changed);
    const lines = parseRewrittenAsmJson(content.toString());
    const maxBytes = artifactKind(ASM_JSON).maxBytes ?? services.limits.maxUploadBytes;
    if (content.length > maxBytes)
      refuse('file_too_large', `The asm.json would have ${content.length} bytes; the limit is ${maxBytes}.`, {
        maxBytes,
      });
    if (dryRun) {
      await assertNoCycle(scope, target.document._id, lines);
      return { plan, target, artifact: null };
    }
    const artifact = await tryAttach(context, options, { plan, file, stored: inMemoryBlob(content), lines });
    if (artifact) return { plan, target, artifact };
  }
  return refuse('unavailable', 'The draft or its references kept changing. Try again in a moment.', {
    part: 'draft',
  });
}

type Prepared<P> = { plan: P; file: ArtifactRecord; stored: StoredBlob; lines: AssemblyLine[] };

/** Attaches the new file; returns null if the draft or the plan changed since it was prepared. */
async function tryAttach<P extends Plan>(
  { services, request }: Context,
  options: RewriteOptions<P>,
  prepared: Prepared<P>,
): Promise<ArtifactRecord | null> {
  try {
    // One request may rewrite many drafts: each draft is a separate step of the request's idempotency key.
    const idempotency = request.idempotency && { ...request.idempotency, step: options.versionId };
    return await serializeStructureWrites(() =>
      inTransaction(services, { ...request, idempotency }, attachRewritten(options), prepared),
    );
  } catch (error) {
    if (error === CONCURRENT_CHANGE) return null;
    throw error;
  }
}

// Thrown to abort the transaction, so that no response is stored for the idempotency key.
const CONCURRENT_CHANGE = new Error('the draft or the plan changed meanwhile');

function attachRewritten<P extends Plan>({
  versionId,
  planChanges,
  auditEntry,
}: RewriteOptions<P>): Command<Prepared<P>, ArtifactRecord> {
  return async function attachRewrittenFile(work, { plan, file, stored, lines }) {
    const target = await lockVersion(work, versionId);
    const current = await artifactOfKind(work, versionId, ASM_JSON);

    await assertCanStoreFile(work, target, ASM_JSON);
    if (current?._id !== file._id || JSON.stringify(await planChanges(work)) !== JSON.stringify(plan))
      throw CONCURRENT_CHANGE;

    const { fileName, contentType } = file;
    const { artifact, replaced } = await storeInDraft(work, target, {
      versionId,
      kind: ASM_JSON,
      stored,
      lines,
      fileName,
      contentType,
    });
    const newAddresses = new Map(plan.changed.map(({ from, to }) => [from, to]));
    work.audit({
      ...auditEntry(target, plan),
      documentId: target.document._id,
      workspaceId: target.workspace._id,
      versionId,
      jobId: artifact.jobId,
      changes: {
        references: { from: [...newAddresses.keys()], to: [...newAddresses.values()] },
        [ASM_JSON]: { from: replaced && auditFields(replaced), to: auditFields(artifact) },
      },
    });
    return artifact;
  };
}

/** Returns the bytes of a file; null if the file and its bytes have been deleted since. */
async function readContent(scope: Scope, { _id, sha256 }: ArtifactRecord): Promise<Buffer | null> {
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of await openBlob(scope, sha256)) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks);
  } catch (error) {
    if (await find(scope, 'artifacts', _id)) throw error;
    return null;
  }
}
