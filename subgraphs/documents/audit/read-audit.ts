import { AUDIT_ACTIONS } from '../../core/domain/audit/audit-action.ts';
import { notFound } from '../../core/domain/errors.ts';
import {
  resolveOrder,
  type Page,
  type PageInput,
  page,
  pageSize,
  decodePosition,
  decodeCursor,
} from '../../core/domain/text/paging.ts';
import {
  type About,
  type AuditFilter,
  aboutRecord,
  countAbout,
  countAll,
  lengthOfChain,
  ofAll,
  ofChain,
} from '../../core/store/audit/audit.ts';
import { atMoment, type Window } from '../../core/store/query/ordered.ts';
import type { Scope } from '../../core/store/query/scope.ts';
import type { AuditRecord } from '../../core/store/schema/collections.ts';

type Asked = PageInput<'createdAt'>;

/** Everything that is recorded, by its name and in words. */
export const auditActions = (): { name: string; label: string }[] =>
  Object.entries(AUDIT_ACTIONS).map(([name, label]) => ({ name, label }));

export type AuditPage = Page<AuditRecord>;

const NEWEST_FIRST = { sort: 'createdAt', descending: true } as const;

/** What was done to a document, newest first unless told otherwise. */
export async function documentAudit(scope: Scope, documentId: string, input: Asked): Promise<AuditPage> {
  const limit = pageSize(input.limit);
  const { descending } = resolveOrder(input, NEWEST_FIRST);
  const list = `audit:${documentId}:${descending}`;
  const after = decodeCursor(list, input.cursor)?.[0];
  const [found, total] = await Promise.all([
    ofChain(scope, documentId, {
      limit: limit + 1,
      descending,
      after: after === undefined ? undefined : Number(after),
    }),
    input.total ? lengthOfChain(scope, documentId) : null,
  ]);
  return { ...page(found, limit, ({ chainSeq }) => [chainSeq], list), total };
}

/** What was done to a draft or version, newest first unless told otherwise. */
export function versionAudit(
  { scope }: { scope: Scope },
  { versionId, ...input }: Asked & { versionId: string },
): Promise<AuditPage> {
  return auditAbout(scope, { versionId }, versionId, input);
}

/** What was done to a revision, newest first unless told otherwise: also to one that was taken back. Refuses one that never was (`not_found`). */
export async function revisionAudit(
  { scope }: { scope: Scope },
  { id, ...input }: Asked & { id: string },
): Promise<AuditPage> {
  const found = await auditAbout(scope, { revisionId: id }, id, input);
  if (!found.items.length && !input.cursor) throw notFound('revision', id);
  return found;
}

/** Everything done to anything, newest first unless told otherwise: by an actor, of an action, from a time on, before a time. */
export function wholeAudit(
  { scope }: { scope: Scope },
  { actor, action, from, before, ...input }: Asked & AuditFilter,
): Promise<AuditPage> {
  const filter = { actor, action, from, before };
  return pageByTime(`audit ${JSON.stringify(filter)}`, input, {
    read: (window) => ofAll(scope, filter, window),
    count: () => countAll(scope, filter),
  });
}

function auditAbout(scope: Scope, about: About, recordId: string, input: Asked): Promise<AuditPage> {
  return pageByTime(`audit:${recordId}`, input, {
    read: (window) => aboutRecord(scope, about, window),
    count: () => countAbout(scope, about),
  });
}

type Reads = { read(window: Window): Promise<AuditRecord[]>; count(): Promise<number> };

async function pageByTime(name: string, input: Asked, { read, count }: Reads): Promise<AuditPage> {
  const limit = pageSize(input.limit);
  const { descending } = resolveOrder(input, NEWEST_FIRST);
  const list = `${name}:${descending}`;
  const after = atMoment(decodePosition(list, input.cursor));
  const [found, total] = await Promise.all([
    read({ descending, limit: limit + 1, after }),
    input.total ? count() : null,
  ]);
  return { ...page(found, limit, ({ at, _id }) => [at.getTime(), _id], list), total };
}
