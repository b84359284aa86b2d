import { notFound } from '../core/domain/errors.ts';
import { page, pageSize, readCursor } from '../core/domain/paging.ts';
import { aboutRecord, ofChain } from '../core/store/audit.ts';
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

async function auditAbout(scope: Scope, about: Parameters<typeof aboutRecord>[1], recordId: string, input: PageInput): Promise<AuditPage> {
  const limit = pageSize(input.limit);
  const list = `audit:${recordId}`;
  const [at, id] = readCursor(list, input.cursor) ?? [];
  const found = await aboutRecord(scope, about, { limit: limit + 1, before: at === undefined ? undefined : { at: new Date(at), id: String(id) } });
  return page(found, limit, (record) => [record.at.getTime(), record._id], list);
}
