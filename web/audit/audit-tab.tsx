// The audit tab of a document.
import { ReadDocumentAuditDocument } from '../generated/operations.ts';
import { execute } from '../shell/api-client.ts';
import { isAboutDocument } from '../shell/live-events.ts';
import { useQuery } from '../shell/use-query.ts';
import { QueryView } from '../ui/status.tsx';
import { AuditList, type AuditPage } from './audit-list.tsx';

const NONE: AuditPage = { items: [], nextCursor: null };

/** The audit records of one document, newest first. */
export function AuditTab({ documentId }: { documentId: string }) {
  const result = useQuery(ReadDocumentAuditDocument, { id: documentId }, isAboutDocument(documentId));
  const read = async (cursor: string) =>
    (await execute(ReadDocumentAuditDocument, { id: documentId, cursor })).document?.audit ?? NONE;
  return (
    <div class="audit-page">
      <QueryView query={result}>
        {({ document }) => (
          <AuditList key={documentId} first={document?.audit ?? NONE} read={read} withDocument={false} />
        )}
      </QueryView>
    </div>
  );
}
