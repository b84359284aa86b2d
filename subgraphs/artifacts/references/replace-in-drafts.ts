import { addressKey } from '../../core/domain/assembly/address.ts';
import { addressOfOther, type Change } from '../../core/domain/assembly/reference-update.ts';
import { DomainError, notFound, refuse } from '../../core/domain/errors.ts';
import { pageSize, decodeCursor, encodeCursor } from '../../core/domain/text/paging.ts';
import type { Context } from '../../core/graphql.ts';
import { referencesOf } from '../../core/store/assembly/references.ts';
import { resolveReferences } from '../../core/store/assembly/resolve-references.ts';
import { linesIn, rangesOfDocument } from '../../core/store/assembly/where-used.ts';
import { documentByIdOrNumber } from '../../core/store/documents.ts';
import type { Scope } from '../../core/store/query/scope.ts';
import type { ArtifactRecord, DocumentRecord } from '../../core/store/schema/collections.ts';
import { placeName } from '../artifact-record.ts';
import { rewriteReferences } from './rewrite-references.ts';

type Input = {
  documentId: string;
  with: string;
  dryRun?: boolean | null;
  limit?: number | null;
  cursor?: string | null;
};

/** What became of a draft that uses the document, or would become: changed, or left as it was for a reason of the catalogue. */
export type DraftReplacement = {
  documentId: string;
  versionId: string;
  outcome: 'replaced' | 'skipped';
  changed: Change[];
  /** The new asm.json; null when nothing was written. */
  artifact: ArtifactRecord | null;
  code: string | null;
  message: string | null;
};
export type DraftReplacements = { dryRun: boolean; items: DraftReplacement[]; nextCursor: string | null };

const SIZES = { usual: 200, most: 200 };
// milliseconds after which no further draft is begun: an operation has ten seconds
const LONGEST = 4_000;

/**
 * Lets the drafts that use a document use another one instead, each in a transaction of its own: all its references or none. Bare addresses stay
 * bare, pinned ones are pinned to what the bare address of the other document means now. Drafts that cannot be written are told and left; up
 * to 200 in one call, or as many as some seconds allow, and a cursor if there are more. A dry run decides all the same and writes nothing.
 */
export async function replaceInDrafts(
  context: Context,
  { documentId, dryRun, limit, cursor, ...input }: Input,
): Promise<DraftReplacements> {
  const { scope, request } = context;
  const document = await documentByIdOrNumber(scope, documentId);
  const other = await documentByIdOrNumber(scope, input.with);
  mayReplace(document, other);

  const size = pageSize(limit, SIZES);
  const list = `replace-in-drafts ${document._id}`;
  const drafts = await draftsUsing(scope, document, { limit: size + 1, after: decodeCursor(list, cursor)?.[0] });
  const items: DraftReplacement[] = [];
  const until = performance.now() + LONGEST;
  let done = 0;
  for (const draft of drafts.slice(0, size)) {
    request.signal.throwIfAborted();
    if (done && performance.now() > until) break;
    done++;
    const item = await replaceInDraft(context, draft, { document, otherId: other._id, dryRun: dryRun ?? false });
    if (item) items.push(item);
  }
  const last = drafts[done - 1];
  return {
    dryRun: dryRun ?? false,
    items,
    nextCursor: drafts.length > done && last ? encodeCursor(list, [last.versionId]) : null,
  };
}

/** Refuses to put a document in its own place, or code in the place of geometry. */
function mayReplace(document: DocumentRecord, other: DocumentRecord): void {
  if (document._id === other._id)
    refuse('validation_failed', `${document.number} cannot take its own place.`, {
      errors: [{ path: '/with', message: 'must be another document' }],
    });
  if (other.kind === 'code')
    refuse('wrong_kind', `Document ${other.number} is of kind code and cannot be placed in an assembly.`, {
      kind: 'code',
      allowed: ['model', 'assembly'],
    });
}

type Draft = { documentId: string; versionId: string };

/** The drafts that use a document by any address, newest first. */
async function draftsUsing(
  scope: Scope,
  { _id, number }: DocumentRecord,
  page: { limit: number; after?: string | number },
): Promise<Draft[]> {
  const drafts = new Map<string, Draft>();
  // lines of a draft follow one another, and `ver_x/` comes before all of them
  let after = page.after === undefined ? undefined : `${page.after}/`;
  while (drafts.size < page.limit) {
    const lines = await linesIn(scope, draftRanges([_id, number]), { limit: page.limit, after });
    for (const { documentId, versionId } of lines) drafts.set(versionId, { documentId, versionId });
    if (lines.length < page.limit) break;
    after = `${lines.at(-1)?.versionId}/`;
  }
  return [...drafts.values()].slice(0, page.limit);
}

const draftRanges = (names: readonly string[]) =>
  rangesOfDocument(names, { scope: 'latest', drafts: true }).filter(({ place }) => place === 'draft');

/** Null for a draft that no longer uses the document when its turn comes. */
async function replaceInDraft(
  context: Context,
  draft: Draft,
  { document, otherId, dryRun }: { document: DocumentRecord; otherId: string; dryRun: boolean },
): Promise<DraftReplacement | null> {
  try {
    const { plan, artifact } = await rewriteReferences(context, {
      versionId: draft.versionId,
      dryRun,
      decide: (scope) => planReplacement(scope, draft.versionId, document, otherId),
      told: (place, { number, changed }) => ({
        action: 'references.replaced',
        summary: `${number} took the place of ${document.number} in ${placeName(place)}, ${changed.length === 1 ? 'once' : `${changed.length} times`}.`,
      }),
    });
    if (!plan.changed.length) return null;
    return { ...draft, outcome: 'replaced', changed: plan.changed, artifact, code: null, message: null };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { ...draft, outcome: 'skipped', changed: [], artifact: null, code: error.code, message: error.message };
  }
}

async function planReplacement(
  scope: Scope,
  versionId: string,
  document: DocumentRecord,
  otherId: string,
): Promise<{ number: string; changed: Change[] }> {
  const bare = { target: otherId, at: { as: 'newest' as const } };
  const { document: other, resolved } = (await resolveReferences(scope, [bare])).get(addressKey(bare)) ?? {};
  if (!other) throw notFound('document', otherId);
  const meant = resolved?.resolution ?? null;
  const lines = (await referencesOf(scope, versionId)).filter(
    ({ target }) => target === document._id || target === document.number,
  );
  const changed = lines.flatMap(({ location, occurrences }) => {
    const to = addressOfOther(location, other, meant);
    return occurrences.map(({ path }) => ({ path, from: location, to }));
  });
  return { number: other.number, changed };
}
