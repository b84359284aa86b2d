// Reads pages of audit records: of a document, a version, a revision or the whole log.
import { AUDIT_ACTIONS, currentAction } from '../../core/domain/audit/audit-action.ts';
import { notFound, refuseField } from '../../core/domain/errors.ts';
import {
  decodeCursor,
  decodePosition,
  type Page,
  type PageInput,
  page,
  pageSize,
  resolveOrder,
} from '../../core/domain/text/paging.ts';
import type { Context } from '../../core/graphql.ts';
import {
  type About,
  type AuditFilter,
  countAbout,
  countAudit,
  countChain,
  hasActed,
  listAbout,
  listAudit,
  listChain,
} from '../../core/store/audit/list-audit.ts';
import { datePosition, type PageRequest } from '../../core/store/query/page-request.ts';
import type { Scope } from '../../core/store/query/scope.ts';
import type { AuditRecord } from '../../core/store/schema/collections.ts';
import { assertUser } from '../../core/store/users.ts';
import type { Loaders } from '../loaders.ts';

type Input = PageInput<'createdAt'>;

/** Returns all audit actions with their labels. */
export const listAuditActions = (): { name: string; label: string }[] =>
  Object.entries(AUDIT_ACTIONS).map(([name, label]) => ({ name, label }));

export type AuditPage = Page<AuditRecord>;

const NEWEST_FIRST = { sort: 'createdAt', descending: true } as const;

/**
 * Returns a page of a document's audit records that match the filter, by default newest first. First pages of many
 * documents are one query.
 */
export async function readDocumentAudit(
  { scope, loaders }: Pick<Context<Loaders>, 'scope' | 'loaders'>,
  documentId: string,
  { actor, action, from, before, ...input }: Input & AuditFilter,
): Promise<AuditPage> {
  const filter = await validateFilter(scope, { actor, action, from, before });
  const limit = pageSize(input.limit);
  const { descending } = resolveOrder(input, NEWEST_FIRST);
  const list = `audit:${documentId}:${JSON.stringify(filter)}:${descending}`;
  if (isFirstPage(input) && !actor && !action && !from && !before) {
    const newest = await loaders.firstDocumentAudit.load({ id: documentId, limit: limit + 1 });
    return { ...page(newest, limit, ({ chainSeq }) => [chainSeq], list), total: null };
  }
  loaders.assertAuditPageLimit();
  const after = decodeCursor(list, input.cursor)?.[0];
  const [found, total] = await Promise.all([
    listChain(scope, documentId, {
      limit: limit + 1,
      descending,
      after: after === undefined ? undefined : Number(after),
      filter,
    }),
    input.total ? countChain(scope, documentId, filter) : null,
  ]);
  return { ...page(found, limit, ({ chainSeq }) => [chainSeq], list), total };
}

/**
 * Returns a page of the audit records of a draft or version, by default newest first. First pages of many are one
 * query.
 */
export async function readVersionAudit(
  { scope, loaders }: Pick<Context<Loaders>, 'scope' | 'loaders'>,
  { versionId, ...input }: Input & { versionId: string },
): Promise<AuditPage> {
  if (!isFirstPage(input)) {
    loaders.assertAuditPageLimit();
    return readAuditAbout(scope, { versionId }, versionId, input);
  }
  const limit = pageSize(input.limit);
  const newest = await loaders.firstVersionAudit.load({ id: versionId, limit: limit + 1 });
  return { ...page(newest, limit, timePosition, `audit:${versionId}:true`), total: null };
}

// Whether a page is the first one in the default order, without a total. Such pages can be batched.
function isFirstPage(input: Input): boolean {
  return input.cursor == null && !input.total && resolveOrder(input, NEWEST_FIRST).descending;
}

/**
 * Returns a page of a revision's audit records, by default newest first. The revision may have been taken back. Throws
 * `not_found` if it never existed.
 */
export async function readRevisionAudit(
  { scope }: { scope: Scope },
  { id, ...input }: Input & { id: string },
): Promise<AuditPage> {
  const found = await readAuditAbout(scope, { revisionId: id }, id, input);
  if (!found.items.length && !input.cursor) throw notFound('revision', id);
  return found;
}

/** Returns a page of all audit records that match the filter, by default newest first. */
export async function readAudit(
  { scope }: { scope: Scope },
  { actor, action, from, before, ...input }: Input & AuditFilter,
): Promise<AuditPage> {
  const filter = await validateFilter(scope, { actor, action, from, before });
  return pageByTime(`audit ${JSON.stringify(filter)}`, input, {
    read: (window) => listAudit(scope, filter, window),
    count: () => countAudit(scope, filter),
  });
}

async function validateFilter(scope: Scope, filter: AuditFilter): Promise<AuditFilter> {
  const { actor, action } = filter;
  if (actor != null && !(await hasActed(scope, actor))) await assertUser(scope, 'actor', actor);
  const names = Object.keys(AUDIT_ACTIONS);
  if (action != null && !names.includes(currentAction(action)))
    refuseField('action', `must be one of ${names.join(', ')}`);
  return filter;
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
  return { ...page(found, limit, timePosition, list), total };
}

const timePosition = ({ at, _id }: AuditRecord): [number, string] => [at.getTime(), _id];
