// Selects one of many versions: by number, revision or words, or from a list that loads while scrolling.
// biome-ignore-all lint/a11y/useSemanticElements: virtual options cannot be select options
// biome-ignore-all lint/a11y/useFocusableInteractive: the field has the focus (aria-activedescendant)
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the field handles the keys
import { useEffect, useId, useState } from 'preact/hooks';
import { usePages } from '../bom/use-pages.ts';
import {
  type VersionOptionFragment,
  VersionOptionsDocument,
  VersionOptionsFromRowDocument,
} from '../generated/operations.ts';
import { execute } from '../shell/api-client.ts';
import { isAboutDocument } from '../shell/live-events.ts';
import { useQuery } from '../shell/use-query.ts';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorMessage } from '../ui/status.tsx';
import { Time } from '../ui/time.tsx';
import { showError } from '../ui/toasts.tsx';
import { VirtualList } from '../ui/virtual-list.tsx';
import { RevisionBadge } from './history-row.tsx';
import { matchRevisions, matchVersions, parseVersionNumber } from './version-search.ts';

/** A line of the list. `version` is undefined for a revision whose version is not loaded. */
type Line = {
  id: string;
  n: number | null;
  releasedAs: { label: string; obsolete: boolean } | null;
  version?: VersionOptionFragment;
};

const ROW_HEIGHT = 40;
const NO_PAGE = { items: [], nextCursor: null };

type ChooserProps = { documentId: string; title: string; onPick: (versionId: string) => void; onClose: () => void };

/** A dialog to select a version; it closes when a version is selected. */
export function VersionChooser({ documentId, title, onPick, onClose }: ChooserProps) {
  const id = useId();
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const { lines, loadMore, query, searchedCount } = useLines(documentId, text);
  const pick = (line: Line | undefined) => {
    if (!line) return;
    onClose();
    onPick(line.id);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return; // the input method handles the keys
    const to = nextIndex(event.key, active, lines.length);
    if (to === undefined && event.key !== 'Enter') return;
    event.preventDefault();
    if (to === undefined) pick(lines[active]);
    else setActive(to);
  };
  return (
    <Dialog title={title} onClose={onClose} size="wide">
      <input
        type="text"
        role="combobox"
        class="chooser-field"
        aria-label="Number, revision or name"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={lines[active] ? `${id}-${active}` : undefined}
        autocomplete="off"
        spellcheck={false}
        autofocus
        placeholder="Number, revision, or words of the name or comment, e.g. v120 or B"
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
      />
      {query.error && <ErrorMessage error={query.error} onRetry={query.reload} />}
      <VirtualList
        class="chooser-list"
        label="Versions"
        rows={lines}
        rowHeight={ROW_HEIGHT}
        getKey={(line) => line.id}
        scrollToRow={active}
        onEndReached={loadMore ? () => void loadMore().catch(showError) : undefined}
        containerProps={{ role: 'listbox', id: `${id}-list`, 'aria-label': 'Versions' }}
      >
        {(line, index) => (
          <div
            role="option"
            id={`${id}-${index}`}
            class="chooser-line"
            aria-selected={index === active}
            aria-posinset={index + 1}
            onClick={() => pick(line)}
            onPointerMove={() => setActive(index)}
          >
            <LineContent line={line} />
          </div>
        )}
      </VirtualList>
      <div class="actions">
        <small class="grow" role="status">
          {searchedCount !== undefined && `Searching… ${searchedCount} versions so far`}
          {searchedCount === undefined && lines.length === 0 && !query.loading && 'No matching version.'}
        </small>
        <button type="button" onClick={onClose}>
          Cancel
        </button>
      </div>
    </Dialog>
  );
}

function LineContent({ line: { n, releasedAs, version } }: { line: Line }) {
  const title = `v${n}`;
  return (
    <>
      <span class="n">
        {title} {releasedAs && <RevisionBadge {...releasedAs} />}
      </span>
      <span class="description">
        {version && version.name.toLowerCase() !== title && <b>{version.name} </b>}
        {version?.comment && <span class="quiet">{version.comment}</span>}
      </span>
      {version && (
        <small class="when">
          {version.workspace.name} · {version.createdBy.name} · <Time at={version.createdAt} />
        </small>
      )}
    </>
  );
}

const MIN_MATCHES = 20; // fills the list; the next page is loaded when the user scrolls to its end

/** Returns all versions for an empty text, the versions from a number down, or the matching revisions and versions. */
function useLines(documentId: string, text: string) {
  const filter = isAboutDocument(documentId);
  const n = parseVersionNumber(text);
  const query = useQuery(VersionOptionsDocument, { id: documentId }, filter);
  const document = query.data?.document;
  const { items, readMore: loadMore } = usePages(document?.versionPage, async (cursor) => {
    return (await execute(VersionOptionsDocument, { id: documentId, cursor })).document?.versionPage ?? NO_PAGE;
  });
  const numberQuery = useQuery(
    VersionOptionsFromRowDocument,
    // rows are counted from 0 at the bottom, so version n is in row n - 1
    n === null || n === 0 ? null : { id: documentId, fromRow: n - 1 },
    filter,
  );
  const isWordSearch = text.trim() !== '' && n === null;
  const matches = isWordSearch ? matchVersions(items, text) : [];
  const loadNext = isWordSearch && matches.length < MIN_MATCHES ? loadMore : null;
  // loads further pages until there are enough matches
  useEffect(() => void loadNext?.(), [loadNext === null, items.length]);
  if (text.trim() === '') return { lines: items.map(toLine), loadMore, query, searchedCount: undefined };
  if (n === null) {
    const byId = new Map(items.map((version) => [version.id, version]));
    const lines = matchRevisions(document?.revisions ?? [], text).map(({ versionId, versionN, label, obsolete }) => {
      return { id: versionId, n: versionN, releasedAs: { label, obsolete }, version: byId.get(versionId) };
    });
    const listed = new Set(lines.map(({ id }) => id));
    const others = matches.filter(({ id }) => !listed.has(id)).map(toLine);
    return { lines: [...lines, ...others], loadMore, query, searchedCount: loadNext ? items.length : undefined };
  }
  // If the number is above the newest version, the API returns the top of the history instead: shows no lines.
  const nodes = n === 0 ? [] : (numberQuery.data?.document?.versionGraph.nodes ?? []);
  const versions = nodes.map(({ version }) => version);
  return {
    lines: versions[0]?.n === n ? versions.map(toLine) : [],
    loadMore: undefined,
    query: numberQuery,
    searchedCount: undefined,
  };
}

const toLine = (version: VersionOptionFragment): Line => ({
  id: version.id,
  n: version.n,
  releasedAs: version.releasedAs,
  version,
});

const PAGE_SIZE = 8;

/** Returns the row that a key moves to; undefined for other keys. */
function nextIndex(key: string, current: number, rows: number): number | undefined {
  const clamp = (index: number) => Math.max(0, Math.min(rows - 1, index));
  if (key === 'ArrowDown') return clamp(current + 1);
  if (key === 'ArrowUp') return clamp(current - 1);
  if (key === 'PageDown') return clamp(current + PAGE_SIZE);
  if (key === 'PageUp') return clamp(current - PAGE_SIZE);
  return undefined;
}
