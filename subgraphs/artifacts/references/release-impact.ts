// Previews which drafts and versions a release, obsoletion or take-back would affect.
import { type Candidates, type Resolution, resolveAddress } from '../../core/domain/assembly/reference.ts';
import type { UseScope } from '../../core/domain/assembly/where-used.ts';
import { decodeCursor, page, pageSize } from '../../core/domain/text/paging.ts';
import type { ReleaseAction } from '../../core/domain/versions/release.ts';
import {
  addressChanges,
  candidatesAfter,
  type OutdatedChange,
  outdatedChanges,
  type ResolutionChange,
  requestedAction,
} from '../../core/domain/versions/release-impact.ts';
import { nextRevision } from '../../core/domain/versions/revision-label.ts';
import type { Context } from '../../core/graphql.ts';
import { candidatesOf } from '../../core/store/assembly/resolve-references.ts';
import { type IndexRange, linesFrozenTo, linesIn, rangesOfDrafts } from '../../core/store/assembly/where-used.ts';
import { get } from '../../core/store/query/records.ts';
import type { Scope } from '../../core/store/query/scope.ts';
import { revisionsOf, usedLabels } from '../../core/store/revisions.ts';
import type { ReferenceRecord } from '../../core/store/schema/collections.ts';
import { versionsOf } from '../../core/store/versions.ts';
import { type ShownLine, toShownLine } from './where-used.ts';

/** A draft that would resolve differently, or a frozen version that would become, or cease to be, outdated. */
export type Impact = ShownLine & ResolutionChange & { effect: 'changes' | OutdatedChange; frozen: boolean };
export type ReleaseImpact = {
  action: ReleaseAction;
  documentId: string;
  versionId: string;
  /** The label that would be assigned, made obsolete or taken back. */
  label: string;
  items: Impact[];
  nextCursor: string | null;
};

type Input = {
  versionId: string;
  action?: ReleaseAction | null;
  scope?: UseScope | null;
  limit?: number | null;
  cursor?: string | null;
};

/**
 * Returns the drafts and versions that reference a version directly and would be affected if it was released, made
 * obsolete or taken back: first drafts, then versions (by default the newest of each document). Resolves their
 * addresses against the state after the action. Throws the errors that the action itself would throw.
 */
export async function releaseImpact(
  { scope, services }: Context,
  { versionId, limit, cursor, ...input }: Input,
): Promise<ReleaseImpact> {
  const version = await get(scope, 'versions', versionId);
  const document = await get(scope, 'documents', version.documentId);
  const before = candidatesOf(
    document,
    await versionsOf(scope, [document._id]),
    await revisionsOf(scope, [document._id]),
  );
  const next = nextRevision(
    services.limits.revisionScheme,
    document.lastRevision ?? 0,
    await usedLabels(scope, document),
  );

  const release = before.revisions.find((revision) => revision.versionId === versionId);
  const action = requestedAction(input.action, release);
  const after = candidatesAfter(before, action, versionId, next);

  const size = pageSize(limit);
  const referrerScope = input.scope ?? 'latest';
  const list = `release-impact ${JSON.stringify([versionId, action, referrerScope])}`;
  const found = await readImpacts(
    scope,
    { before, after, versionId, referrerScope },
    { limit: size + 1, after: decodeCursor(list, cursor) },
  );
  const { items, nextCursor } = page(found, size, ({ position }) => position, list);
  return {
    action,
    documentId: document._id,
    versionId,
    label: release?.label ?? next.label,
    items: items.map(({ item }) => item),
    nextCursor,
  };
}

type ImpactQuery = { before: Candidates; after: Candidates; versionId: string; referrerScope: UseScope };
type ImpactWithPosition = { item: Impact; position: readonly string[] };

async function readImpacts(
  scope: Scope,
  query: ImpactQuery,
  page: { limit: number; after?: readonly (string | number)[] },
): Promise<ImpactWithPosition[]> {
  const [phase, ...after] = (page.after ?? []).map(String);
  const drafts = phase === 'version' ? [] : await changedDrafts(scope, query, { limit: page.limit, after: after[0] });
  const [frozenTo, id] = phase === 'version' ? after : [];
  const rest = { limit: page.limit - drafts.length, after: frozenTo && id ? { versionId: frozenTo, id } : undefined };
  return rest.limit ? [...drafts, ...(await affectedVersions(scope, query, rest))] : drafts;
}

/** Returns the drafts whose references would resolve differently. */
async function changedDrafts(
  scope: Scope,
  { before, after, versionId }: ImpactQuery,
  page: { limit: number; after?: string },
): Promise<ImpactWithPosition[]> {
  const { _id, number } = before.document;
  const changes = new Map(
    addressChanges(before, after, versionId).map(({ at, change }) => [JSON.stringify(at), { at, change }]),
  );
  const ranges: IndexRange[] = [...changes.values()].flatMap(({ at }) => rangesOfDrafts([_id, number], at));
  const lines = await linesIn(scope, ranges, page);
  return lines.flatMap((line) => {
    const change = changes.get(JSON.stringify(line.at))?.change;
    return change
      ? [{ item: { ...toShownLine(line), ...change, effect: 'changes', frozen: false }, position: ['draft', line._id] }]
      : [];
  });
}

/** Returns the versions that would become, or cease to be, outdated. */
async function affectedVersions(
  scope: Scope,
  { before, after, referrerScope }: ImpactQuery,
  page: { limit: number; after?: { versionId: string; id: string } },
): Promise<ImpactWithPosition[]> {
  const outdated = outdatedChanges(before, after);
  const lines = await linesFrozenTo(scope, [...outdated.keys()], referrerScope, page);
  return lines.flatMap((line) => {
    const effect = outdated.get(line.frozen?.versionId ?? '');
    if (!line.frozen || !effect) return [];
    const change = { from: frozenResolution(line, before), to: frozenResolution(line, after) };
    return [
      {
        item: { ...toShownLine(line), ...change, effect, frozen: true },
        position: ['version', line.frozen.versionId, line._id],
      },
    ];
  });
}

// Returns the frozen version, resolved against the given state of its document.
function frozenResolution({ frozen, target }: ReferenceRecord, candidates: Candidates): Resolution | null {
  if (!frozen) return null;
  const { resolution } = resolveAddress({ target, at: { as: 'version', n: frozen.n } }, candidates);
  return resolution && { ...resolution, as: frozen.as, label: frozen.label };
}
