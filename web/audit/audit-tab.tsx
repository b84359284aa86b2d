import { ReadDocumentAuditDocument } from '../generated/operations.ts';
import { ask } from '../shell/ask.ts';
import { ofDocument } from '../shell/live.ts';
import { useAsk } from '../shell/use-ask.ts';
import { Answer } from '../ui/state.tsx';
import { AuditList, type AuditPart } from './audit-list.tsx';

const NONE: AuditPart = { items: [], nextCursor: null };

/** What was done to one document, newest first. */
export function AuditTab({ documentId }: { documentId: string }) {
  const asked = useAsk(ReadDocumentAuditDocument, { id: documentId }, ofDocument(documentId));
  const read = async (cursor: string) =>
    (await ask(ReadDocumentAuditDocument, { id: documentId, cursor })).document?.audit ?? NONE;
  return (
    <div class="audit-page">
      <Answer of={asked}>
        {({ document }) => (
          <AuditList key={documentId} first={document?.audit ?? NONE} read={read} withDocument={false} />
        )}
      </Answer>
    </div>
  );
}
