import { refuseCycle } from '../../core/commands/reference-cycle.ts';
import { artifactKind } from '../../core/domain/artifact-kind.ts';
import { rewriteLocations } from '../../core/domain/assembly/asm-edit.ts';
import type { AssemblyLine } from '../../core/domain/assembly/asm-references.ts';
import { readAgain } from '../../core/domain/assembly/read-asm-json.ts';
import type { Change } from '../../core/domain/assembly/reference-update.ts';
import type { Deed } from '../../core/domain/audit/audit-event.ts';
import { refuse } from '../../core/domain/errors.ts';
import type { Context } from '../../core/graphql.ts';
import { ASM_JSON } from '../../core/store/assembly/references.ts';
import { artifactOfKind } from '../../core/store/files/artifacts.ts';
import { blobAtHand, openBlob, type StoredBlob } from '../../core/store/files/blobs.ts';
import { find } from '../../core/store/query/records.ts';
import type { Scope } from '../../core/store/query/scope.ts';
import { atOneMoment } from '../../core/store/query/snapshot.ts';
import type { ArtifactRecord } from '../../core/store/schema/collections.ts';
import { lockVersion, type VersionInPlace, versionInPlace } from '../../core/store/versions.ts';
import { type Command, inTransaction } from '../../core/work.ts';
import { identity } from '../artifact-record.ts';
import { mayStoreFile, storeInDraft, structuresInTurn } from '../attach-file.ts';

/** What is to be changed in the asm.json of a draft, besides what the caller wants to tell of it; nothing but JSON. */
export type Plan = { changed: readonly Change[] };

export type Rewriting<P extends Plan> = {
  versionId: string;
  /** Decides on what is stored now; asked again in the transaction, whose answer counts. */
  decide(scope: Scope): Promise<P>;
  /** How the audit record tells it. */
  told(place: VersionInPlace, plan: P): Deed;
  /** Goes as far as it can without writing, refusing what the write would refuse. */
  dryRun?: boolean;
};

/** What was changed, and the asm.json it became; null when there was nothing to change, or nothing was to be written. */
export type Rewritten<P extends Plan> = { plan: P; place: VersionInPlace; artifact: ArtifactRecord | null };

const TRIES = 10;

/**
 * Gives references in a draft other addresses: nothing but their strings changes in its asm.json, which is stored as if it had been uploaded.
 * The new file is made first, then one transaction decides again, writes and attaches it; when the draft or the decision changed meanwhile, all is
 * done anew. Refuses what an upload refuses, `reference_cycle` included.
 */
export async function rewriteReferences<P extends Plan>(
  context: Context,
  rewriting: Rewriting<P>,
): Promise<Rewritten<P>> {
  const { services, scope, request } = context;
  const { versionId, decide, dryRun = false } = rewriting;
  for (let tries = 0; tries < TRIES; tries++) {
    const seen = await atOneMoment(services.mongo, async (moment) => {
      const place = await versionInPlace(moment, versionId);
      await mayStoreFile({ ...moment, actor: request.actor, now: services.clock() }, place, ASM_JSON);
      return { place, plan: await decide(moment), file: await artifactOfKind(moment, versionId, ASM_JSON) };
    });
    const { place, plan, file } = seen;
    if (!file || !plan.changed.length) return { plan, place, artifact: null };

    const before = await contentIn(scope, file);
    if (!before) continue;
    const content = rewriteLocations(before, plan.changed);
    const lines = readAgain(content.toString());
    const maxBytes = artifactKind(ASM_JSON).maxBytes ?? services.limits.maxUploadBytes;
    if (content.length > maxBytes)
      refuse('file_too_large', `The asm.json would have ${content.length} bytes, more than ${maxBytes}.`, { maxBytes });
    if (dryRun) {
      await refuseCycle(scope, place.document._id, lines);
      return { plan, place, artifact: null };
    }
    const artifact = await attached(context, rewriting, { plan, file, stored: blobAtHand(content), lines });
    if (artifact !== 'overtaken') return { plan, place, artifact };
  }
  return refuse('unavailable', 'The draft, or what it uses, changes all the time. Try again in a moment.', {
    part: 'draft',
  });
}

type Prepared<P> = { plan: P; file: ArtifactRecord; stored: StoredBlob; lines: AssemblyLine[] };

async function attached<P extends Plan>(
  { services, request }: Context,
  rewriting: Rewriting<P>,
  prepared: Prepared<P>,
): Promise<ArtifactRecord | 'overtaken'> {
  try {
    // one request may rewrite many drafts
    const once = request.once && { ...request.once, step: rewriting.versionId };
    return await structuresInTurn(() =>
      inTransaction(services, { ...request, once }, attachRewritten(rewriting), prepared),
    );
  } catch (error) {
    if (error === OVERTAKEN) return 'overtaken';
    throw error;
  }
}

// thrown, so that the transaction leaves nothing behind, not even a kept answer
const OVERTAKEN = new Error('the draft or the decision changed meanwhile');

function attachRewritten<P extends Plan>({
  versionId,
  decide,
  told,
}: Rewriting<P>): Command<Prepared<P>, ArtifactRecord> {
  return async function attachRewrittenFile(work, { plan, file, stored, lines }) {
    const place = await lockVersion(work, versionId);
    const now = await artifactOfKind(work, versionId, ASM_JSON);

    await mayStoreFile(work, place, ASM_JSON);
    if (now?._id !== file._id || JSON.stringify(await decide(work)) !== JSON.stringify(plan)) throw OVERTAKEN;

    const { fileName, contentType } = file;
    const { artifact, replaced } = await storeInDraft(work, place, {
      versionId,
      kind: ASM_JSON,
      stored,
      lines,
      fileName,
      contentType,
    });
    const moved = new Map(plan.changed.map(({ from, to }) => [from, to]));
    work.audit({
      ...told(place, plan),
      documentId: place.document._id,
      workspaceId: place.workspace._id,
      versionId,
      jobId: artifact.jobId,
      changes: {
        references: { from: [...moved.keys()], to: [...moved.values()] },
        [ASM_JSON]: { from: replaced && identity(replaced), to: identity(artifact) },
      },
    });
    return artifact;
  };
}

/** The bytes of a file; null when it has been taken away since, and its bytes with it. */
async function contentIn(scope: Scope, { _id, sha256 }: ArtifactRecord): Promise<Buffer | null> {
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of await openBlob(scope, sha256)) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks);
  } catch (error) {
    if (await find(scope, 'artifacts', _id)) throw error;
    return null;
  }
}
