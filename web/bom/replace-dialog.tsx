// Replaces a document with another one in all drafts that use it.
import { useState } from 'preact/hooks';
import {
  ReplaceInDraftsDocument,
  type ReplaceInDraftsMutation,
  ReplacementDocumentDocument,
} from '../generated/operations.ts';
import { execute } from '../shell/api-client.ts';
import { useDocumentSearch } from '../shell/use-document-search.ts';
import { Combobox } from '../ui/combobox.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { messageOf } from '../ui/errors.ts';
import { Thumbnail } from '../ui/thumbnail.tsx';
import { showSuccess } from '../ui/toasts.tsx';
import { versionLabel } from './bom-lines.ts';

type Document = { id: string; number: string; name: string; kind: string };
type Item = ReplaceInDraftsMutation['replaceInDrafts']['items'][number];
/** The preview of a replacement; `query` is the number that was entered. */
type Preview = { query: string; other: Document; items: Item[] };

/** A dialog to choose the replacement, preview the changes of each draft, and apply them. */
export function ReplaceDialog({ document, onClose }: { document: Document; onClose: () => void }) {
  const [number, setNumber] = useState('');
  const [lastPreview, setPreview] = useState<Preview | null>(null);
  const preview = lastPreview?.query === number.trim() ? lastPreview : null;
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  const run = async (action: () => Promise<void>) => {
    setBusy(true);
    setProblem(null);
    await action().catch((error: unknown) => setProblem(messageOf(error)));
    setBusy(false);
  };
  const search = useDocumentSearch(number);
  const others = search.documents.filter(({ id, kind }) => id !== document.id && kind !== 'code');
  const choices = others.map((other) => ({ ...other, label: other.name, hint: other.number }));
  const showPreview = (typed: string) =>
    run(async () => {
      setPreview(null);
      const query = typed.trim();
      const { document: other } = await execute(ReplacementDocumentDocument, { id: query });
      if (!other) throw new Error(`Document ${query} not found. Choose one from the list.`);
      setPreview({ query, other, items: await replaceAll(document.id, other.id, true) });
    });
  const replace = ({ query, other }: Preview) =>
    run(async () => {
      const items = await replaceAll(document.id, other.id, false);
      const skipped = items.filter(({ outcome }) => outcome === 'skipped');
      showSuccess(`Replaced ${document.number} with ${other.number} in ${draftCount(items.length - skipped.length)}.`);
      if (skipped.length === 0) onClose();
      else setPreview({ query, other, items: skipped });
    });
  const ready = preview?.items.filter(({ outcome }) => outcome === 'replaced').length ?? 0;

  return (
    <Dialog title={`Replace ${document.number} in all drafts`} onClose={onClose} size="wide">
      <p class="quiet">
        Only drafts change. References that follow {document.number} will follow the other document; pinned references
        will be pinned to its newest release, or to its newest version if none is released.
      </p>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          void showPreview(number);
        }}
      >
        <Combobox
          label="Document to use instead"
          placeholder="Number or name"
          text={number}
          choices={choices}
          onText={setNumber}
          onPick={(other) => {
            setNumber(other.number);
            void showPreview(other.number);
          }}
          emptyMessage={number.trim() !== '' && search.query === number.trim() ? 'No other document found.' : undefined}
          required
          autofocus
        >
          {({ kind, label, thumbnailUrl }) => (
            <>
              <Thumbnail url={thumbnailUrl} kind={kind} />
              <span>{label}</span>
            </>
          )}
        </Combobox>
        <button type="submit" disabled={busy}>
          Preview changes
        </button>
      </form>
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {preview && <PreviewTable preview={preview} />}
      <div class="actions">
        <button type="button" onClick={onClose}>
          Cancel
        </button>
        <button
          type="button"
          class="primary"
          disabled={busy || ready === 0}
          onClick={() => preview && void replace(preview)}
        >
          {ready === 0 ? 'Replace' : `Replace in ${draftCount(ready)}`}
        </button>
      </div>
    </Dialog>
  );
}

const draftCount = (drafts: number) => (drafts === 1 ? '1 draft' : `${drafts} drafts`);

function PreviewTable({ preview: { other, items } }: { preview: Preview }) {
  if (items.length === 0) return <p role="status">No draft uses this document.</p>;
  return (
    <>
      <p role="status">
        Replacement: <b>{other.number}</b> {other.name}
      </p>
      <div class="table-box impact">
        <table>
          <thead>
            <tr>
              <th>Draft</th>
              <th>Result</th>
            </tr>
          </thead>
          <tbody>
            {items.map(({ document, version, outcome, changed, message }) => (
              <tr key={version.id}>
                <td>
                  <span class="mono">{document.number}</span> {document.name} <small>{versionLabel(version)}</small>
                </td>
                <td>
                  {outcome === 'replaced' ? (
                    <span class="mark good">
                      {changed.length} {changed.length === 1 ? 'reference' : 'references'}
                    </span>
                  ) : (
                    <span>skipped: {message}</span>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

async function replaceAll(id: string, other: string, dryRun: boolean): Promise<Item[]> {
  const items: Item[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { replaceInDrafts: page }: ReplaceInDraftsMutation = await execute(ReplaceInDraftsDocument, {
      id,
      with: other,
      dryRun,
      cursor,
    });
    items.push(...page.items);
    cursor = page.nextCursor ?? null;
  }
  return items;
}
