// The documents of a folder beside the assembly: they are dragged into it, or added with a button.
import { useState } from 'preact/hooks';
import { dragDocuments } from '../find/dragging.ts';
import { BrowseFoldersDocument, CandidatesInFolderDocument } from '../generated/operations.ts';
import { useQuery } from '../shell/use-query.ts';
import { Icon } from '../ui/icon.tsx';
import { QueryView } from '../ui/status.tsx';
import { Thumbnail } from '../ui/thumbnail.tsx';
import type { Candidate } from './add-component.tsx';

type BrowseProps = {
  assemblyId: string;
  reasonAgainst: (document: Candidate) => string | null;
  onAdd: (document: Candidate) => void;
};

const UNFILED = 'unfiled';

/** Shows the folder of the assembly at first. */
export function BrowseFolders({ assemblyId, reasonAgainst, onAdd }: BrowseProps) {
  const folders = useQuery(BrowseFoldersDocument, { id: assemblyId });
  const [chosen, setChosen] = useState<string | null>(null);
  const folderId = chosen ?? (folders.data && (folders.data.document?.folder?.id ?? UNFILED)) ?? null;
  const found = useQuery(CandidatesInFolderDocument, folderId === null ? null : { folderId });
  return (
    <section class="browse" aria-label="Documents of a folder">
      <QueryView query={folders}>
        {({ folders: all }) => (
          <label class="inline">
            Folder
            <select value={folderId ?? UNFILED} onChange={({ currentTarget }) => setChosen(currentTarget.value)}>
              <option value={UNFILED}>Unfiled</option>
              {all
                .toSorted((a, b) => a.path.localeCompare(b.path))
                .map(({ id, path }) => (
                  <option key={id} value={id}>
                    {path}
                  </option>
                ))}
            </select>
          </label>
        )}
      </QueryView>
      {folderId !== null && (
        <QueryView query={found}>
          {({ documents: { items, nextCursor } }) => (
            <>
              {items.every(({ id }) => id === assemblyId) && <p class="quiet">No other documents in this folder.</p>}
              <ul>
                {items
                  .filter(({ id }) => id !== assemblyId)
                  .map((document) => (
                    <FolderDocument
                      key={document.id}
                      document={document}
                      reason={reasonAgainst(document)}
                      onAdd={onAdd}
                    />
                  ))}
              </ul>
              {nextCursor && (
                <p class="quiet">These are the first {items.length} documents. Search for the other ones.</p>
              )}
            </>
          )}
        </QueryView>
      )}
    </section>
  );
}

type DocumentProps = { document: Candidate; reason: string | null; onAdd: (document: Candidate) => void };

function FolderDocument({ document, reason, onAdd }: DocumentProps) {
  const { id, number, name, kind, thumbnailUrl } = document;
  return (
    <li class="candidate" draggable={reason === null} onDragStart={(event) => dragDocuments(event, [id], number)}>
      <Thumbnail url={thumbnailUrl} kind={kind} />
      <span class={reason === null ? 'cut-here' : 'quiet'}>
        <b class="mono">{number}</b> {name}
        {reason !== null && <small>{reason}</small>}
      </span>
      {reason === null && (
        <button type="button" class="bare" aria-label={`Add ${number}`} title="Add" onClick={() => onAdd(document)}>
          <Icon name="plus" />
        </button>
      )}
    </li>
  );
}
