// Finds the drafts and versions that use a document.
import { type Address, type AddressAt, addressKey } from '../../core/domain/assembly/address.ts';
import type { Resolution } from '../../core/domain/assembly/reference.ts';
import {
  type FoundDocument,
  type Link,
  nextLevel,
  parseLevels,
  parseVersionOrLabel,
  pathTo,
  type UseScope,
} from '../../core/domain/assembly/where-used.ts';
import { refuse, refuseField } from '../../core/domain/errors.ts';
import {
  decodeCursor,
  type Page,
  type PageInput,
  page,
  pageSize,
  resolveOrder,
} from '../../core/domain/text/paging.ts';
import type { Context } from '../../core/graphql.ts';
import { inChunks, resolveReferences } from '../../core/store/assembly/resolve-references.ts';
import {
  countLines,
  type IndexRange,
  type LinkRecord,
  linesIn,
  linesWithIds,
  linksIn,
  linksTo,
  MAX_PATHS,
  type ReferrerFilter,
  rangesOfDocument,
  rangesOfDrafts,
  rangesOfFrozen,
} from '../../core/store/assembly/where-used.ts';
import { getByIdOrNumber } from '../../core/store/documents.ts';
import { findAll } from '../../core/store/query/records.ts';
import type { Scope } from '../../core/store/query/scope.ts';
import type { DocumentRecord, ReferenceRecord } from '../../core/store/schema/collections.ts';
import { resolveLines } from './read-references.ts';

/** A line of a draft or version as where-used lists show it. */
export type ShownLine = {
  documentId: string;
  versionId: string;
  location: string;
  addressForm: 'floating' | 'revision' | 'version';
  quantity: number;
  paths: string[];
  morePaths: boolean;
};

/** A draft or version that uses a document, directly or through other documents. */
export type Use = ShownLine & {
  /** 1: uses the document directly; 2: uses a document that does, and so on. */
  level: number;
  /** The documents in between, starting with the one that uses the document directly. */
  via: string[];
  resolution: Resolution | null;
  status: 'resolved' | 'unresolved';
  reason: string;
};
export type UsePage = Page<Use>;

export type UsesInput = PageInput<'createdAt'> & {
  levels?: string | null;
  scope?: UseScope | null;
  drafts?: boolean | null;
  of?: string | null;
};

/**
 * Returns a page of the drafts and versions that use a document. With `levels: 1`, lists each address of each draft and
 * version, by default newest first; on several levels, each using document once, level by level. `of` limits the first
 * level to the uses of one version: drafts whose address resolves to this version now and versions frozen to it. Higher
 * levels follow any version of a document.
 */
export async function whereUsed(
  { scope }: Pick<Context, 'scope'>,
  { documentId, ...input }: UsesInput & { documentId: string },
): Promise<UsePage> {
  const levels = parseLevels(input.levels);
  const size = pageSize(input.limit);
  const referrers: ReferrerFilter = { scope: input.scope ?? 'latest', drafts: input.drafts ?? true };
  const document = await getByIdOrNumber(scope, documentId);

  const targets = [document._id, document.number];
  const ranges =
    input.of == null ? rangesOfDocument(targets, referrers) : await rangesOfState(scope, document, input.of, referrers);
  const { descending } = resolveOrder(input, { sort: 'createdAt', descending: true });
  const list = usesList(document._id, { levels, referrers, of: input.of, descending });
  const after = decodeCursor(list, input.cursor);
  if (levels === 1) {
    const [lines, total] = await Promise.all([
      linesIn(scope, ranges, { limit: size + 1, after: after && String(after[0]), descending }),
      input.total ? countLines(scope, ranges) : null,
    ]);
    const { items, nextCursor } = page(lines, size, ({ _id }) => [_id], list);
    return { items: await toUses(scope, items), nextCursor, total };
  }
  if (input.sort || input.descending) rejectSort();
  const above = await findUsersAbove(scope, document, await linksIn(scope, ranges), referrers, {
    limit: input.total ? Number.POSITIVE_INFINITY : size + 1,
    after,
  });
  const { items, nextCursor } = page(above.found, size, ({ level, documentId: id }) => [level, id], list);
  const lines = await linesWithIds(
    scope,
    items.map(({ lineId }) => lineId),
  );
  const found = items.flatMap((step) => lines.get(step.lineId) ?? []);
  const uses = await toUses(scope, found, new Map(items.map((step) => [step.lineId, step])));
  return { items: uses, nextCursor, total: input.total ? above.reached : null };
}

type UsesOrder = { levels: 1 | 'all'; referrers: ReferrerFilter; of?: string | null; descending: boolean };

/** Returns the name of a list, for its cursors. */
export function usesList(documentId: string, { levels, referrers, of, descending }: UsesOrder): string {
  return `where-used ${JSON.stringify([documentId, levels, referrers.scope, referrers.drafts, of ?? null, descending])}`;
}

/** Whether a page is the first one of the direct uses in the default order, without a total. Such pages are batched. */
export function isFirstPage({ levels, of, sort, descending, cursor, total }: UsesInput): boolean {
  return (levels ?? '1') === '1' && of == null && !sort && descending !== false && cursor == null && !total;
}

function rejectSort(): never {
  return refuse('validation_failed', 'A list of all levels is ordered by level; use sort only with levels=1.', {
    errors: [{ path: '/sort', message: 'is allowed only with levels=1' }],
  });
}

/** Returns the ranges of the referrers of one version: versions frozen to it and drafts that resolve to it. */
async function rangesOfState(
  scope: Scope,
  { _id: target, number }: DocumentRecord,
  of: string,
  referrers: ReferrerFilter,
): Promise<IndexRange[]> {
  const state = parseVersionOrLabel(of);
  const requested: Address = {
    target,
    at: 'n' in state ? { as: 'version', n: state.n } : { as: 'revision', label: state.label },
  };
  const floating: Address = { target, at: { as: 'newest' } };
  const resolved = await resolveReferences(scope, [requested, floating]);
  const version = resolved.get(addressKey(requested))?.version;
  if (!version) refuseField('of', `must be a revision or version of ${number}`);

  const { _id, n, releasedAs } = version;
  const addresses: AddressAt[] = [{ as: 'version', n: n ?? 0 }];
  if (releasedAs) addresses.push({ as: 'revision', label: releasedAs.label });
  if (resolved.get(addressKey(floating))?.version?._id === _id) addresses.push({ as: 'newest' });
  const drafts = referrers.drafts ? addresses.flatMap((at) => rangesOfDrafts([target, number], at)) : [];
  return [...rangesOfFrozen(_id, referrers.scope), ...drafts];
}

const MAX_DOCUMENTS = 100_000;

/** Returns up to `limit` documents above one, level by level, after the cursor; and how many documents were reached. */
async function findUsersAbove(
  scope: Scope,
  document: DocumentRecord,
  first: readonly LinkRecord[],
  referrers: ReferrerFilter,
  { limit, after }: { limit: number; after?: readonly (string | number)[] },
): Promise<{ found: FoundDocument[]; reached: number }> {
  const visited = new Set([document._id]);
  const isAfterCursor = ({ level, documentId }: FoundDocument) =>
    !after || level > Number(after[0]) || (level === after[0] && documentId > String(after[1]));
  const found: FoundDocument[] = [];
  let level = nextLevel(toLinks(first, new Map(targetsOf(document))), [], visited);
  while (level.length) {
    found.push(...level.filter(isAfterCursor));
    if (found.length >= limit) break;
    if (visited.size > MAX_DOCUMENTS) rejectTooMany(document);
    const ids = level.map(({ documentId }) => documentId);
    const documents = await inChunks(ids, (chunk) => findAll(scope, 'documents', chunk));
    const idByTarget = new Map(documents.flatMap(targetsOf));
    level = nextLevel(toLinks(await linksTo(scope, [...idByTarget.keys()], referrers), idByTarget), level, visited);
  }
  return { found: found.slice(0, limit), reached: visited.size - 1 };
}

/** Returns both values that references to a document store as their target, id and number, with the id. */
function targetsOf({ _id, number }: DocumentRecord): [string, string][] {
  return [
    [_id, _id],
    [number, _id],
  ];
}

function toLinks(records: readonly LinkRecord[], idByTarget: ReadonlyMap<string, string>): Link[] {
  return records.map(({ _id, documentId, target, place }) => ({
    lineId: _id,
    documentId,
    place,
    usedId: idByTarget.get(target) ?? target,
  }));
}

function rejectTooMany({ number }: DocumentRecord): never {
  return refuse(
    'validation_failed',
    `More than ${MAX_DOCUMENTS} documents use ${number}; request one level at a time.`,
    {
      limit: 'whereUsedDocuments',
      allowed: MAX_DOCUMENTS,
    },
  );
}

const ADDRESS_FORMS = { newest: 'floating', revision: 'revision', version: 'version' } as const;

/** Returns the uses of lines, with what they resolve to. */
export async function toUses(
  scope: Scope,
  lines: readonly ReferenceRecord[],
  steps?: ReadonlyMap<string, FoundDocument>,
): Promise<Use[]> {
  const resolve = await resolveLines(scope, lines);
  return lines.map((line) => {
    const { resolution, status, reason } = resolve(line);
    const step = steps?.get(line._id);
    return { ...toShownLine(line), level: step?.level ?? 1, via: step ? pathTo(step) : [], resolution, status, reason };
  });
}

/** Returns a line with the first paths of its occurrences. */
export function toShownLine({
  documentId,
  versionId,
  location,
  at,
  quantity,
  occurrences,
}: ReferenceRecord): ShownLine {
  const paths = occurrences.slice(0, MAX_PATHS).map(({ path }) => path);
  return {
    documentId,
    versionId,
    location,
    addressForm: ADDRESS_FORMS[at.as],
    quantity,
    paths,
    morePaths: occurrences.length > MAX_PATHS,
  };
}
