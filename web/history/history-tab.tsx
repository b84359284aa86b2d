import { useMemo, useState } from 'preact/hooks';
import {
  HistoryArchiveWorkspaceDocument,
  HistoryCheckInRequestsDocument,
  HistoryCheckinDocument,
  HistoryUnarchiveWorkspaceDocument,
} from '../generated/operations.ts';
import { formatNames } from '../reservations/reservation-changes.ts';
import { execute } from '../shell/api-client.ts';
import { isAboutDocument } from '../shell/live-events.ts';
import { navigate, route, urlFor, withQuery } from '../shell/router.ts';
import { useQuery } from '../shell/use-query.ts';
import type { MenuPosition } from '../ui/menu.tsx';
import { EmptyState, ErrorMessage, Loading } from '../ui/status.tsx';
import { runWithToast } from '../ui/toasts.tsx';
import { VirtualList } from '../ui/virtual-list.tsx';
import { ActionDialog, type VersionAction } from './action-dialogs.tsx';
import { entriesOf, type History, type HistoryEntry, type HistoryNode, rowOfVersion } from './graph-model.ts';
import { Gutter } from './gutter.tsx';
import { HistoryRow, rowId } from './history-row.tsx';
import { keyAction } from './keyboard.ts';
import { gutterLayout, gutterWidth } from './lines.ts';
import { useHistory } from './use-history.ts';
import { VersionMenu } from './version-menu.tsx';
import { VersionPanel } from './version-panel.tsx';

const ROW_HEIGHT = 34;
const LONG_HISTORY = 60; // rows from which buttons for both ends are shown

/** The history of a document: the graph with a row per draft and version, and the details of the selected one. */
export function HistoryTab({ documentId }: { documentId: string }) {
  const { history, document, gone, error, onVisibleRange, retry } = useHistory(documentId);
  if (gone) return <EmptyState>This document no longer exists.</EmptyState>;
  return (
    <>
      {error && <ErrorMessage error={error} onRetry={retry} />}
      {history && document ? (
        <Graph
          documentId={documentId}
          history={history}
          isGenerated={document.run !== null}
          onVisibleRange={onVisibleRange}
        />
      ) : (
        !error && <Loading />
      )}
    </>
  );
}

type VersionRef = Pick<HistoryNode, 'id' | 'n'>;

type GraphProps = {
  documentId: string;
  history: History;
  isGenerated: boolean;
  onVisibleRange: (first: number, last: number) => void;
};

function Graph({ documentId, history, isGenerated, onVisibleRange }: GraphProps) {
  const chosen = route.value.query.get('version');
  const requestedBy = useRequestedBy(documentId);
  const [active, setActive] = useState(0);
  const [marked, setMarked] = useState<readonly VersionRef[]>([]);
  const [menu, setMenu] = useState<{ id: string; position: MenuPosition } | null>(null);
  const [action, setAction] = useState<VersionAction | null>(null);
  const entries = useMemo(() => entriesOf(history), [history]);
  const lanes = useMemo(
    () => new Map(history.lanes.map((lane, index) => [lane.workspaceId, { lane, index }])),
    [history.lanes],
  );
  const layout = gutterLayout(history.lanes.length, ROW_HEIGHT);
  const width = gutterWidth(layout, history.lanes.length);

  const choose = ({ node }: HistoryEntry) =>
    node && navigate(withQuery({ version: node.id }), { replace: chosen !== null });
  const mark = ({ id, n }: VersionRef) =>
    setMarked((before) =>
      before.some((each) => each.id === id)
        ? before.filter((each) => each.id !== id)
        : [...before.slice(-1), { id, n }],
    );
  const openMenu = (id: string, position: MenuPosition) => setMenu({ id, position });
  const onAction = (chosenAction: VersionAction) =>
    runAction(documentId, chosenAction, { mark, openDialog: setAction });

  const onClick = (event: MouseEvent) => {
    const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-row]') : null;
    const entry = entries[Number(row?.dataset.row ?? -1)];
    if (!entry?.node || !(event.target instanceof Element)) return;
    setActive(entry.row);
    const button = event.target.closest<HTMLElement>('[data-action]');
    if (button?.dataset.action === 'menu') {
      const { left, bottom } = button.getBoundingClientRect();
      openMenu(entry.node.id, { x: left, y: bottom });
    } else if (button?.dataset.action === 'mark' || event.ctrlKey || event.metaKey) mark(entry.node);
    else choose(entry);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const entry = entries[active];
    const effect = keyAction(event.key, { active, rows: entries.length, shift: event.shiftKey });
    if (!effect || !entry) return;
    event.preventDefault();
    if (effect.to !== undefined) setActive(effect.to);
    else if (effect.action === 'choose') choose(entry);
    else if (effect.action === 'close') navigate(withQuery({ version: null }), { replace: true });
    else if (entry.node && effect.action === 'mark') mark(entry.node);
    else if (entry.node) {
      const { right = 0, bottom = 0 } =
        globalThis.document.getElementById(rowId(active))?.getBoundingClientRect() ?? {};
      openMenu(entry.node.id, { x: right - 280, y: bottom });
    }
  };

  return (
    <div class={`history ${chosen ? 'with-panel' : ''}`}>
      <div class="history-graph">
        <div class="history-toolbar">
          <MarkedVersions documentId={documentId} marked={marked} onClear={() => setMarked([])} />
          {entries.length > LONG_HISTORY && (
            <span class="history-ends">
              <button type="button" class="link" onClick={() => setActive(0)}>
                Newest
              </button>
              <button type="button" class="link" onClick={() => setActive(entries.length - 1)}>
                First version
              </button>
            </span>
          )}
        </div>
        <VirtualList
          class="history-rows"
          label="History"
          rows={entries}
          rowHeight={ROW_HEIGHT}
          getKey={({ row, node }) => node?.id ?? `row ${row}`}
          scrollToRow={active}
          onVisibleRange={onVisibleRange}
          renderBackground={(first, last) => (
            <Gutter history={history} entries={entries} layout={layout} first={first} last={last} chosen={chosen} />
          )}
          containerProps={{
            role: 'grid',
            'aria-label': 'History: drafts and versions, newest first',
            'aria-rowcount': entries.length,
            'aria-colcount': 7,
            'aria-multiselectable': true,
            'aria-activedescendant': rowId(active),
            tabIndex: 0,
            onClick,
            onKeyDown,
          }}
        >
          {(entry) => {
            const { lane, index = 0 } = (entry.node && lanes.get(entry.node.workspaceId)) ?? {};
            return (
              <HistoryRow
                entry={entry}
                lane={lane}
                laneIndex={index}
                gutterWidth={width}
                isGenerated={isGenerated && entry.node?.n === 1}
                requestedBy={requestedBy.get(entry.node?.workspaceId ?? '')}
                active={entry.row === active}
                chosen={entry.node !== undefined && entry.node.id === chosen}
                marked={marked.some(({ id }) => id === entry.node?.id)}
              />
            );
          }}
        </VirtualList>
      </div>
      {chosen && (
        <VersionPanel
          key={chosen}
          documentId={documentId}
          versionId={chosen}
          workspaceName={(id) => lanes.get(id)?.lane.name}
          isGenerated={isGenerated && entries[active]?.node?.n === 1}
          requestedBy={requestedBy.get(entries[active]?.node?.workspaceId ?? '')}
          onMenu={(position) => openMenu(chosen, position)}
          onLoaded={({ n, workspaceId }) =>
            setActive(n === null ? (lanes.get(workspaceId)?.index ?? 0) : rowOfVersion(history, n))
          }
        />
      )}
      {menu && (
        <VersionMenu
          documentId={documentId}
          versionId={menu.id}
          position={menu.position}
          onClose={() => setMenu(null)}
          onAction={onAction}
        />
      )}
      {action && <ActionDialog action={action} onClose={() => setAction(null)} />}
    </div>
  );
}

/** Returns the names of the users who requested check-in, by workspace. */
function useRequestedBy(documentId: string): ReadonlyMap<string, string> {
  const { data } = useQuery(HistoryCheckInRequestsDocument, { id: documentId }, isAboutDocument(documentId));
  return new Map(
    (data?.document?.workspaces ?? []).flatMap(({ id, reservation }) =>
      reservation && reservation.checkinRequests.length > 0
        ? [[id, formatNames(reservation.checkinRequests.map(({ by }) => by))]]
        : [],
    ),
  );
}

const draftOrVersion = ({ n }: VersionRef): string => (n === null ? 'the draft' : `v${n}`);
// older version first, so that the comparison shows newer content as added; a draft is newer than any version
const byAge = (a: VersionRef, b: VersionRef) => (a.n ?? Number.POSITIVE_INFINITY) - (b.n ?? Number.POSITIVE_INFINITY);

type MarkedProps = { documentId: string; marked: readonly VersionRef[]; onClear: () => void };

function MarkedVersions({ documentId, marked, onClear }: MarkedProps) {
  const [a, b] = marked.length === 2 ? marked.toSorted(byAge) : marked;
  if (!a) {
    return (
      <p class="history-hint quiet">
        <kbd>↑</kbd> <kbd>↓</kbd> move · <kbd>Enter</kbd> open · <kbd>Ctrl</kbd>-click or <kbd>Space</kbd> on two
        versions to compare · <kbd>M</kbd> menu
      </p>
    );
  }
  return (
    <p class="history-hint" role="status">
      {b ? (
        <a class="button" href={urlFor.document(documentId, 'compare', { from: a.id, to: b.id })}>
          Compare {draftOrVersion(a)} with {draftOrVersion(b)}
        </a>
      ) : (
        <span>{draftOrVersion(a)} selected. Select another version to compare.</span>
      )}
      <button type="button" class="link" onClick={onClear}>
        Clear
      </button>
    </p>
  );
}

type ActionHandlers = { mark: (version: VersionRef) => void; openDialog: (action: VersionAction) => void };

/** Runs an action directly, navigates to its view, or opens its dialog. */
function runAction(documentId: string, action: VersionAction, { mark, openDialog }: ActionHandlers): void {
  const { name, version } = action;
  const { workspace } = version;
  if (name === 'view' || name === 'upload') navigate(urlFor.document(documentId, '', { version: version.id }));
  else if (name === 'compare') mark(version);
  else if (name === 'checkIn' || name === 'forceCheckIn')
    void runWithToast(
      () => execute(HistoryCheckinDocument, { id: workspace.id, force: name === 'forceCheckIn' }),
      `Checked in ${workspace.name}.`,
    );
  else if (name === 'archiveWorkspace')
    void runWithToast(
      () => execute(HistoryArchiveWorkspaceDocument, { id: workspace.id }),
      `Archived workspace ${workspace.name}.`,
    );
  else if (name === 'unarchiveWorkspace')
    void runWithToast(
      () => execute(HistoryUnarchiveWorkspaceDocument, { id: workspace.id }),
      `Unarchived workspace ${workspace.name}.`,
    );
  else openDialog(action);
}
