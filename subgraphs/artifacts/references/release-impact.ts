import { type Candidates, type Resolution, resolveAddress } from '../../core/domain/assembly/reference.ts';
import type { UseScope } from '../../core/domain/assembly/where-used.ts';
import { page, pageSize, decodeCursor } from '../../core/domain/text/paging.ts';
import type { ReleaseAction } from '../../core/domain/versions/release.ts';
import {
  type OutdatedChange,
  candidatesAfter,
  outdatedChanges,
  requestedAction,
  type ResolutionChange,
  addressChanges,
} from '../../core/domain/versions/release-impact.ts';
import { nextRevision } from '../../core/domain/versions/revision-label.ts';
import type { Context } from '../../core/graphql.ts';
import { candidatesOf } from '../../core/store/assembly/resolve-references.ts';
import { linesFrozenTo, linesIn, type Range, rangesOfDrafts } from '../../core/store/assembly/where-used.ts';
import { get } from '../../core/store/query/records.ts';
import type { Scope } from '../../core/store/query/scope.ts';
import { labelsHandedOut, revisionsOf } from '../../core/store/revisions.ts';
import type { ReferenceRecord } from '../../core/store/schema/collections.ts';
import { versionsOf } from '../../core/store/versions.ts';
import { type ShownLine, shownLine } from './where-used.ts';

/** A draft that would resolve differently at once, or a version that stays as it was frozen and would be outdated, or no longer. */
export type Impact = ShownLine & ResolutionChange & { effect: 'changes' | OutdatedChange; frozen: boolean };
export type ReleaseImpact = {
  action: ReleaseAction;
  documentId: string;
  versionId: string;
  /** The label that would be given, become obsolete or be taken back. */
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
 * Who would be touched when a version is released, made obsolete or taken back: direct users, first drafts, then versions (the
 * newest of each document, unless another scope is asked for). Decided by the very rule that resolves addresses, on what there would
 * be. Refuses what the deed itself would refuse of the version.
 */
export async function releaseImpact(
  { scope, services }: Context,
  { versionId, limit, cursor, ...input }: Input,
): Promise<ReleaseImpact> {
  const version = await get(scope, 'versions', versionId);
  const document = await get(scope, 'documents', version.documentId);
  const now = candidatesOf(document, await versionsOf(scope, [document._id]), await revisionsOf(scope, [document._id]));
  const next = nextRevision(
    services.limits.revisionScheme,
    document.lastRevision ?? 0,
    await labelsHandedOut(scope, document),
  );

  const release = now.revisions.find((revision) => revision.versionId === versionId);
  const deed = requestedAction(input.action, release);
  const then = candidatesAfter(now, deed, versionId, next);

  const size = pageSize(limit);
  const users = input.scope ?? 'latest';
  const list = `release-impact ${JSON.stringify([versionId, deed, users])}`;
  const found = await impacts(
    scope,
    { now, then, versionId, users },
    { limit: size + 1, after: decodeCursor(list, cursor) },
  );
  const { items, nextCursor } = page(found, size, ({ place }) => place, list);
  return {
    action: deed,
    documentId: document._id,
    versionId,
    label: release?.label ?? next.label,
    items: items.map(({ item }) => item),
    nextCursor,
  };
}

type Deeds = { now: Candidates; then: Candidates; versionId: string; users: UseScope };
type Placed = { item: Impact; place: readonly string[] };

async function impacts(
  scope: Scope,
  deeds: Deeds,
  page: { limit: number; after?: readonly (string | number)[] },
): Promise<Placed[]> {
  const [phase, ...after] = (page.after ?? []).map(String);
  const drafts = phase === 'version' ? [] : await draftsShifted(scope, deeds, { limit: page.limit, after: after[0] });
  const [frozenTo, id] = phase === 'version' ? after : [];
  const rest = { limit: page.limit - drafts.length, after: frozenTo && id ? { versionId: frozenTo, id } : undefined };
  return rest.limit ? [...drafts, ...(await versionsAged(scope, deeds, rest))] : drafts;
}

/** Drafts follow at once: what they mean moves with the release. */
async function draftsShifted(
  scope: Scope,
  { now, then, versionId }: Deeds,
  page: { limit: number; after?: string },
): Promise<Placed[]> {
  const { _id, number } = now.document;
  const moved = new Map(
    addressChanges(now, then, versionId).map(({ at, shift }) => [JSON.stringify(at), { at, shift }]),
  );
  const ranges: Range[] = [...moved.values()].flatMap(({ at }) => rangesOfDrafts([_id, number], at));
  const lines = await linesIn(scope, ranges, page);
  return lines.flatMap((line) => {
    const shift = moved.get(JSON.stringify(line.at))?.shift;
    return shift
      ? [{ item: { ...shownLine(line), ...shift, effect: 'changes', frozen: false }, place: ['draft', line._id] }]
      : [];
  });
}

/** Versions stay what they are; what there is beside them changes. */
async function versionsAged(
  scope: Scope,
  { now, then, users }: Deeds,
  page: { limit: number; after?: { versionId: string; id: string } },
): Promise<Placed[]> {
  const aging = outdatedChanges(now, then);
  const lines = await linesFrozenTo(scope, [...aging.keys()], users, page);
  return lines.flatMap((line) => {
    const effect = aging.get(line.frozen?.versionId ?? '');
    if (!line.frozen || !effect) return [];
    const shift = { from: asFrozen(line, now), to: asFrozen(line, then) };
    return [
      {
        item: { ...shownLine(line), ...shift, effect, frozen: true },
        place: ['version', line.frozen.versionId, line._id],
      },
    ];
  });
}

// What the version was frozen to, with what is known of it then.
function asFrozen({ frozen, target }: ReferenceRecord, known: Candidates): Resolution | null {
  if (!frozen) return null;
  const { resolution } = resolveAddress({ target, at: { as: 'version', n: frozen.n } }, known);
  return resolution && { ...resolution, as: frozen.as, label: frozen.label };
}
