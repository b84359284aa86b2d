// Replaces a document with another one in all drafts that reference it.
import { addressKey } from '../../core/domain/assembly/address.ts';
import { type AddressChange, withOtherDocument } from '../../core/domain/assembly/reference-update.ts';
import { DomainError, notFound, refuse } from '../../core/domain/errors.ts';
import { decodeCursor, encodeCursor, pageSize } from '../../core/domain/text/paging.ts';
import { describeDraftOrVersion } from '../../core/domain/versions/describe-draft-or-version.ts';
import type { Context } from '../../core/graphql.ts';
import { referencesOf } from '../../core/store/assembly/references.ts';
import { resolveReferences } from '../../core/store/assembly/resolve-references.ts';
import { linesIn, rangesOfDocument } from '../../core/store/assembly/where-used.ts';
import { getByIdOrNumber } from '../../core/store/documents.ts';
import type { Scope } from '../../core/store/query/scope.ts';
import type { ArtifactRecord, DocumentRecord } from '../../core/store/schema/collections.ts';
import { rewriteReferences } from './rewrite-references.ts';

type Input = {
  documentId: string;
  with: string;
  dryRun?: boolean | null;
  limit?: number | null;
  cursor?: string | null;
};

/** The result for a draft that references the document: replaced, or skipped with an error code. */
export type DraftReplacement = {
  documentId: string;
  versionId: string;
  outcome: 'replaced' | 'skipped';
  changed: AddressChange[];
  /** The new asm.json; null if nothing was written. */
  artifact: ArtifactRecord | null;
  code: string | null;
  message: string | null;
};
export type DraftReplacements = { dryRun: boolean; items: DraftReplacement[]; nextCursor: string | null };

const PAGE_SIZES = { default: 200, max: 200 };
// No further draft is started after this time, because an operation has ten seconds.
const MAX_DURATION_MS = 4_000;

/**
 * Replaces the references to a document with references to another one in all drafts, each draft in its own
 * transaction: all references or none. Floating addresses stay floating; pinned ones are pinned to the version that the
 * floating address of the other document resolves to now. Drafts that cannot be written are skipped and reported.
 * Processes up to 200 drafts or 4 seconds per call and returns a cursor if there are more. A dry run returns the same
 * result and writes nothing.
 */
export async function replaceInDrafts(
  context: Context,
  { documentId, dryRun: dry, limit, cursor, ...input }: Input,
): Promise<DraftReplacements> {
  const { scope, request } = context;
  const dryRun = dry ?? false;
  const document = await getByIdOrNumber(scope, documentId);
  const other = await getByIdOrNumber(scope, input.with);
  assertCanReplace(document, other);

  const size = pageSize(limit, PAGE_SIZES);
  const list = `replace-in-drafts ${document._id}`;
  const drafts = await draftsUsing(scope, document, { limit: size + 1, after: decodeCursor(list, cursor)?.[0] });
  const items: DraftReplacement[] = [];
  const deadline = performance.now() + MAX_DURATION_MS;
  let done = 0;
  for (const draft of drafts.slice(0, size)) {
    request.signal.throwIfAborted();
    if (done && performance.now() > deadline) break;
    done++;
    const item = await replaceInDraft(context, draft, { document, otherId: other._id, dryRun });
    if (item) items.push(item);
  }
  const last = drafts[done - 1];
  return {
    dryRun,
    items,
    nextCursor: drafts.length > done && last ? encodeCursor(list, [last.versionId]) : null,
  };
}

/** Throws if a document would be replaced with itself or with a code document. */
function assertCanReplace(document: DocumentRecord, other: DocumentRecord): void {
  if (document._id === other._id)
    refuse('validation_failed', `${document.number} cannot be replaced with itself.`, {
      errors: [{ path: '/with', message: 'must be another document' }],
    });
  if (other.kind === 'code')
    refuse('wrong_kind', `Document ${other.number} is of kind code and cannot be used in an assembly.`, {
      kind: 'code',
      allowed: ['model', 'assembly'],
    });
}

type Draft = { documentId: string; versionId: string };

/** Returns the drafts that reference a document by any address, newest first. */
async function draftsUsing(
  scope: Scope,
  { _id, number }: DocumentRecord,
  page: { limit: number; after?: string | number },
): Promise<Draft[]> {
  const drafts = new Map<string, Draft>();
  // Line ids start with `<versionId>/`. In descending order, `<versionId>/` follows all lines of that draft.
  let after = page.after === undefined ? undefined : `${page.after}/`;
  while (drafts.size < page.limit) {
    const lines = await linesIn(scope, draftRanges([_id, number]), { limit: page.limit, after });
    for (const { documentId, versionId } of lines) drafts.set(versionId, { documentId, versionId });
    if (lines.length < page.limit) break;
    after = `${lines.at(-1)?.versionId}/`;
  }
  return [...drafts.values()].slice(0, page.limit);
}

const draftRanges = (targets: readonly string[]) =>
  rangesOfDocument(targets, { scope: 'latest', drafts: true }).filter(({ place }) => place === 'draft');

/** Returns null for a draft that no longer references the document. */
async function replaceInDraft(
  context: Context,
  draft: Draft,
  { document, otherId, dryRun }: { document: DocumentRecord; otherId: string; dryRun: boolean },
): Promise<DraftReplacement | null> {
  try {
    const { plan, artifact } = await rewriteReferences(context, {
      versionId: draft.versionId,
      dryRun,
      planChanges: (scope) => planReplacement(scope, draft.versionId, document, otherId),
      auditEntry: (draftContext, { number, changed }) => ({
        action: 'references.replaced',
        summary: `${number} replaced ${document.number} in ${describeDraftOrVersion(draftContext)}, ${changed.length === 1 ? 'once' : `${changed.length} times`}.`,
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
): Promise<{ number: string; changed: AddressChange[] }> {
  const floating = { target: otherId, at: { as: 'newest' as const } };
  const { document: other, resolved } = (await resolveReferences(scope, [floating])).get(addressKey(floating)) ?? {};
  if (!other) throw notFound('document', otherId);
  const resolution = resolved?.resolution ?? null;
  const lines = (await referencesOf(scope, versionId)).filter(
    ({ target }) => target === document._id || target === document.number,
  );
  const changed = lines.flatMap(({ location, occurrences }) => {
    const to = withOtherDocument(location, other, resolution);
    return occurrences.map(({ path }) => ({ path, from: location, to }));
  });
  return { number: other.number, changed };
}
