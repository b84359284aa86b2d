import { notFound } from '../core/domain/errors.ts';
import { page, pageSize, readCursor } from '../core/domain/paging.ts';
import { aboutRecord, ofAll, ofChain } from '../core/store/audit.ts';
import type { AuditRecord } from '../core/store/collections.ts';
import type { Scope } from '../core/store/scope.ts';

type PageInput = { limit?: number | null; cursor?: string | null };
export type AuditPage = { items: AuditRecord[]; nextCursor: string | null };

/** What was done to a document, newest first. */
export async function documentAudit(scope: Scope, documentId: string, input: PageInput): Promise<AuditPage> {
  const limit = pageSize(input.limit);
  const list = `audit:${documentId}`;
  const before = readCursor(list, input.cursor)?.[0];
  const found = await ofChain(scope, documentId, { limit: limit + 1, before: before === undefined ? undefined : Number(before) });
  return page(found, limit, ({ chainSeq }) => [chainSeq], list);
}

/** What was done to a draft or version, newest first. */
export function versionAudit({ scope }: { scope: Scope }, { versionId, ...input }: PageInput & { versionId: string }): Promise<AuditPage> {
  return auditAbout(scope, { versionId }, versionId, input);
}

/** What was done to a revision, newest first: also to one that was taken back. Refuses one that never was (`not_found`). */
export async function revisionAudit({ scope }: { scope: Scope }, { id, ...input }: PageInput & { id: string }): Promise<AuditPage> {
  const found = await auditAbout(scope, { revisionId: id }, id, input);
  if (!found.items.length && !input.cursor) throw notFound('revision', id);
  return found;
}

type Filters = { actor?: string | null; action?: string | null; from?: Date | null; before?: Date | null };

/** Everything done to anything, newest first: by an actor, of an action, from a time on, before a time. */
export async function wholeAudit({ scope }: { scope: Scope }, { limit, cursor, ...filters }: PageInput & Filters): Promise<AuditPage> {
  const { actor, action, from, before } = filters;
  const list = `audit ${JSON.stringify([actor, action, from, before])}`;
  const size = pageSize(limit);
  const found = await ofAll(scope, { actor, action, from, before }, { limit: size + 1, before: placeIn(list, cursor) });
  return page(found, size, placeOf, list);
}

async function auditAbout(scope: Scope, about: Parameters<typeof aboutRecord>[1], recordId: string, input: PageInput): Promise<AuditPage> {
  const limit = pageSize(input.limit);
  const list = `audit:${recordId}`;
  const found = await aboutRecord(scope, about, { limit: limit + 1, before: placeIn(list, input.cursor) });
  return page(found, limit, placeOf, list);
}

function placeIn(list: string, cursor: string | null | undefined): { at: Date; id: string } | undefined {
  const [at, id] = readCursor(list, cursor) ?? [];
  return at === undefined ? undefined : { at: new Date(at), id: String(id) };
}

function placeOf({ at, _id }: AuditRecord): [number, string] {
  return [at.getTime(), _id];
}
