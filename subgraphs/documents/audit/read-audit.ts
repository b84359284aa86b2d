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
  listAbout,
  countAbout,
  countAudit,
  chainLength,
  listAudit,
  listChain,
} from '../../core/store/audit/audit.ts';
import { datePosition, type PageRequest } from '../../core/store/query/page-request.ts';
import type { Scope } from '../../core/store/query/scope.ts';
import type { AuditRecord } from '../../core/store/schema/collections.ts';

type Input = PageInput<'createdAt'>;

/** Everything that is recorded, by its name and in words. */
export const listAuditActions = (): { name: string; label: string }[] =>
  Object.entries(AUDIT_ACTIONS).map(([name, label]) => ({ name, label }));

export type AuditPage = Page<AuditRecord>;

const NEWEST_FIRST = { sort: 'createdAt', descending: true } as const;

/** What was done to a document, newest first unless told otherwise. */
export async function readDocumentAudit(scope: Scope, documentId: string, input: Input): Promise<AuditPage> {
  const limit = pageSize(input.limit);
  const { descending } = resolveOrder(input, NEWEST_FIRST);
  const list = `audit:${documentId}:${descending}`;
  const after = decodeCursor(list, input.cursor)?.[0];
  const [found, total] = await Promise.all([
    listChain(scope, documentId, {
      limit: limit + 1,
      descending,
      after: after === undefined ? undefined : Number(after),
    }),
    input.total ? chainLength(scope, documentId) : null,
  ]);
  return { ...page(found, limit, ({ chainSeq }) => [chainSeq], list), total };
}

/** What was done to a draft or version, newest first unless told otherwise. */
export function readVersionAudit(
  { scope }: { scope: Scope },
  { versionId, ...input }: Input & { versionId: string },
): Promise<AuditPage> {
  return readAuditAbout(scope, { versionId }, versionId, input);
}

/** What was done to a revision, newest first unless told otherwise: also to one that was taken back. Refuses one that never was (`not_found`). */
export async function readRevisionAudit(
  { scope }: { scope: Scope },
  { id, ...input }: Input & { id: string },
): Promise<AuditPage> {
  const found = await readAuditAbout(scope, { revisionId: id }, id, input);
  if (!found.items.length && !input.cursor) throw notFound('revision', id);
  return found;
}

/** Everything done to anything, newest first unless told otherwise: by an actor, of an action, from a time on, before a time. */
export function readAudit(
  { scope }: { scope: Scope },
  { actor, action, from, before, ...input }: Input & AuditFilter,
): Promise<AuditPage> {
  const filter = { actor, action, from, before };
  return pageByTime(`audit ${JSON.stringify(filter)}`, input, {
    read: (window) => listAudit(scope, filter, window),
    count: () => countAudit(scope, filter),
  });
}

function readAuditAbout(scope: Scope, about: About, recordId: string, input: Input): Promise<AuditPage> {
  return pageByTime(`audit:${recordId}`, input, {
    read: (window) => listAbout(scope, about, window),
    count: () => countAbout(scope, about),
  });
}

type Reads = { read(window: PageRequest): Promise<AuditRecord[]>; count(): Promise<number> };

async function pageByTime(name: string, input: Input, { read, count }: Reads): Promise<AuditPage> {
  const limit = pageSize(input.limit);
  const { descending } = resolveOrder(input, NEWEST_FIRST);
  const list = `${name}:${descending}`;
  const after = datePosition(decodePosition(list, input.cursor));
  const [found, total] = await Promise.all([
    read({ descending, limit: limit + 1, after }),
    input.total ? count() : null,
  ]);
  return { ...page(found, limit, ({ at, _id }) => [at.getTime(), _id], list), total };
}
