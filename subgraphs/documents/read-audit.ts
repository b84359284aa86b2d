import { page, pageSize, readCursor } from '../core/domain/paging.ts';
import { ofChain, ofVersion } from '../core/store/audit.ts';
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
export async function versionAudit({ scope }: { scope: Scope }, { versionId, ...input }: PageInput & { versionId: string }): Promise<AuditPage> {
  const limit = pageSize(input.limit);
  const list = `audit:${versionId}`;
  const [at, id] = readCursor(list, input.cursor) ?? [];
  const found = await ofVersion(scope, versionId, { limit: limit + 1, before: at === undefined ? undefined : { at: new Date(at), id: String(id) } });
  return page(found, limit, (record) => [record.at.getTime(), record._id], list);
}
