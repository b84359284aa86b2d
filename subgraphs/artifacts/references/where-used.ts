import { type Address, type AddressAt, addressKey } from '../../core/domain/assembly/address.ts';
import type { Resolution } from '../../core/domain/assembly/reference.ts';
import {
  type Link,
  nextLevel,
  type Reached,
  stateNamed,
  type UseScope,
  wantedLevels,
  wayTo,
} from '../../core/domain/assembly/where-used.ts';
import { notFound, refuse } from '../../core/domain/errors.ts';
import {
  resolveOrder,
  type Page,
  type PageInput,
  page,
  pageSize,
  decodeCursor,
} from '../../core/domain/text/paging.ts';
import type { Context } from '../../core/graphql.ts';
import { inChunks, resolveReferences } from '../../core/store/assembly/resolve-references.ts';
import {
  countLines,
  type LinkRecord,
  linesIn,
  linesWithIds,
  linksIn,
  linksTo,
  MOST_PATHS,
  type Range,
  rangesOfDocument,
  rangesOfDrafts,
  rangesOfFrozen,
  type Users,
} from '../../core/store/assembly/where-used.ts';
import { documentByIdOrNumber } from '../../core/store/documents.ts';
import { findAll } from '../../core/store/query/records.ts';
import type { Scope } from '../../core/store/query/scope.ts';
import type { DocumentRecord, ReferenceRecord } from '../../core/store/schema/collections.ts';
import { meaningsOf } from './read-references.ts';

/** A line of a draft or version, as it is shown to somebody who asks who uses a document. */
export type ShownLine = {
  documentId: string;
  versionId: string;
  location: string;
  addressForm: 'floating' | 'revision' | 'version';
  quantity: number;
  paths: string[];
  morePaths: boolean;
};

/** A draft or version that uses a document by one address, or uses what does. */
export type Use = ShownLine & {
  /** 1: uses it itself; 2: uses a document that does, and so on. */
  level: number;
  /** The documents in between, from the one that uses it itself upward. */
  via: string[];
  resolution: Resolution | null;
  status: 'resolved' | 'unresolved';
  reason: string;
};
export type UsePage = Page<Use>;

type Input = PageInput<'createdAt'> & {
  levels?: string | null;
  scope?: UseScope | null;
  drafts?: boolean | null;
  of?: string | null;
};

/**
 * Who uses a document: directly, each address of each draft and version, newest first unless told otherwise; or on all levels, each document once,
 * level by level and in no other order. With `of` only those whose address means that version now (drafts) or was frozen to it (versions). Upward it
 * goes from document to document, whichever version of one uses the other.
 */
export async function whereUsed(
  { scope }: Pick<Context, 'scope'>,
  { documentId, ...input }: Input & { documentId: string },
): Promise<UsePage> {
  const levels = wantedLevels(input.levels);
  const size = pageSize(input.limit);
  const users: Users = { scope: input.scope ?? 'latest', drafts: input.drafts ?? true };
  const document = await documentByIdOrNumber(scope, documentId);

  const names = [document._id, document.number];
  const ranges =
    input.of == null ? rangesOfDocument(names, users) : await rangesOfState(scope, document, input.of, users);
  const { descending } = resolveOrder(input, { sort: 'createdAt', descending: true });
  const list = `where-used ${JSON.stringify([document._id, levels, users.scope, users.drafts, input.of ?? null, descending])}`;
  const after = decodeCursor(list, input.cursor);
  if (levels === 1) {
    const [lines, total] = await Promise.all([
      linesIn(scope, ranges, { limit: size + 1, after: after && String(after[0]), descending }),
      input.total ? countLines(scope, ranges) : null,
    ]);
    const { items, nextCursor } = page(lines, size, ({ _id }) => [_id], list);
    return { items: await described(scope, items), nextCursor, total };
  }
  if (input.sort || input.descending) refuseOrder();
  const above = await climb(scope, document, await linksIn(scope, ranges), users, {
    limit: input.total ? Number.POSITIVE_INFINITY : size + 1,
    after,
  });
  const { items, nextCursor } = page(above.found, size, ({ level, documentId: id }) => [level, id], list);
  const lines = await linesWithIds(
    scope,
    items.map(({ lineId }) => lineId),
  );
  const found = items.flatMap((step) => lines.get(step.lineId) ?? []);
  const uses = await described(scope, found, new Map(items.map((step) => [step.lineId, step])));
  return { items: uses, nextCursor, total: input.total ? above.reached : null };
}

function refuseOrder(): never {
  return refuse('validation_failed', 'The users on all levels come level by level; sort is for levels=1.', {
    errors: [{ path: '/sort', message: 'is for levels=1' }],
  });
}

/** Where the users of one state of a document lie: versions that were frozen to it, drafts whose addresses mean it now. */
async function rangesOfState(
  scope: Scope,
  { _id: target, number }: DocumentRecord,
  of: string,
  users: Users,
): Promise<Range[]> {
  const state = stateNamed(of);
  const asked: Address = {
    target,
    at: 'n' in state ? { as: 'version', n: state.n } : { as: 'revision', label: state.label },
  };
  const bare: Address = { target, at: { as: 'newest' } };
  const meant = await resolveReferences(scope, [asked, bare]);
  const version = meant.get(addressKey(asked))?.version;
  if (!version) throw notFound('n' in state ? 'version' : 'revision', `${number}@${of}`);

  const { _id, n, releasedAs } = version;
  const means: AddressAt[] = [{ as: 'version', n: n ?? 0 }];
  if (releasedAs) means.push({ as: 'revision', label: releasedAs.label });
  if (meant.get(addressKey(bare))?.version?._id === _id) means.push({ as: 'newest' });
  const drafts = users.drafts ? means.flatMap((at) => rangesOfDrafts([target, number], at)) : [];
  return [...rangesOfFrozen(_id, users.scope), ...drafts];
}

const MOST_DOCUMENTS = 100_000;

/** The documents above one, level by level, until there are enough of them behind a place; and how many were reached on the way. */
async function climb(
  scope: Scope,
  document: DocumentRecord,
  first: readonly LinkRecord[],
  users: Users,
  { limit, after }: { limit: number; after?: readonly (string | number)[] },
): Promise<{ found: Reached[]; reached: number }> {
  const seen = new Set([document._id]);
  const isLater = ({ level, documentId }: Reached) =>
    !after || level > Number(after[0]) || (level === after[0] && documentId > String(after[1]));
  const found: Reached[] = [];
  const owners = new Map([document._id, document.number].map((name) => [name, document._id]));
  let level = nextLevel(linked(first, owners), [], seen);
  while (level.length) {
    found.push(...level.filter(isLater));
    if (found.length >= limit) break;
    if (seen.size > MOST_DOCUMENTS) refuseTooMany(document);
    const ids = level.map(({ documentId }) => documentId);
    const names = new Map((await inChunks(ids, (some) => findAll(scope, 'documents', some))).flatMap(namesOf));
    level = nextLevel(linked(await linksTo(scope, [...names.keys()], users), names), level, seen);
  }
  return { found: found.slice(0, limit), reached: seen.size - 1 };
}

function namesOf({ _id, number }: DocumentRecord): [string, string][] {
  return [
    [_id, _id],
    [number, _id],
  ];
}

function linked(records: readonly LinkRecord[], owners: ReadonlyMap<string, string>): Link[] {
  return records.map(({ _id, documentId, target, place }) => ({
    lineId: _id,
    documentId,
    place,
    usedId: owners.get(target) ?? target,
  }));
}

function refuseTooMany({ number }: DocumentRecord): never {
  return refuse(
    'validation_failed',
    `More than ${MOST_DOCUMENTS} documents use ${number}; ask for one level, and go on from there.`,
    {
      limit: 'whereUsedDocuments',
      allowed: MOST_DOCUMENTS,
    },
  );
}

const POINTS = { newest: 'floating', revision: 'revision', version: 'version' } as const;

async function described(
  scope: Scope,
  lines: readonly ReferenceRecord[],
  steps?: ReadonlyMap<string, Reached>,
): Promise<Use[]> {
  const meaning = await meaningsOf(scope, lines);
  return lines.map((line) => {
    const { resolution, status, reason } = meaning(line);
    const step = steps?.get(line._id);
    return { ...shownLine(line), level: step?.level ?? 1, via: step ? wayTo(step) : [], resolution, status, reason };
  });
}

/** A line with the first hundred of its paths. */
export function shownLine({ documentId, versionId, location, at, quantity, occurrences }: ReferenceRecord): ShownLine {
  const paths = occurrences.slice(0, MOST_PATHS).map(({ path }) => path);
  return {
    documentId,
    versionId,
    location,
    addressForm: POINTS[at.as],
    quantity,
    paths,
    morePaths: occurrences.length > MOST_PATHS,
  };
}
