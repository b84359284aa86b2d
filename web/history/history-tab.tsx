import { useMemo, useState } from 'preact/hooks';
import {
  HistoryArchiveWorkspaceDocument,
  HistoryAsksDocument,
  HistoryCheckinDocument,
  HistoryUnarchiveWorkspaceDocument,
} from '../generated/operations.ts';
import { namesOf } from '../reservations/what-came.ts';
import { address, addressOf, go, withQuery } from '../shell/addresses.ts';
import { ask } from '../shell/ask.ts';
import { ofDocument } from '../shell/live.ts';
import { useAsk } from '../shell/use-ask.ts';
import type { Spot } from '../ui/menu.tsx';
import { attempt } from '../ui/notes.tsx';
import { Rows } from '../ui/rows.tsx';
import { Nothing, Problem, Waiting } from '../ui/state.tsx';
import { DeedDialog, type OpenDeed } from './deed-dialogs.tsx';
import { type Entry, entriesOf, type History, type HistoryNode, rowOfVersion } from './graph-model.ts';
import { Gutter } from './gutter.tsx';
import { HistoryRow, rowId } from './history-row.tsx';
import { keyDeed } from './keys.ts';
import { gutterWidth, measureFor } from './lines.ts';
import { useHistory } from './use-history.ts';
import { VersionMenu } from './version-menu.tsx';
import { VersionPanel } from './version-panel.tsx';

const ROW = 34;
const LONG = 60; // rows from which on the two ends are worth a button

/** The history of a document: a drawn graph, a line for each draft and version, and the chosen one beside. */
export function HistoryTab({ documentId }: { documentId: string }) {
  const { history, document, gone, error, seen, retry } = useHistory(documentId);
  if (gone) return <Nothing>There is no such document any more.</Nothing>;
  return (
    <>
      {error && <Problem error={error} onRetry={retry} />}
      {history && document ? (
        <Graph documentId={documentId} history={history} byRun={document.run !== null} seen={seen} />
      ) : (
        !error && <Waiting />
      )}
    </>
  );
}

type Named = Pick<HistoryNode, 'id' | 'n'>;

type GraphProps = { documentId: string; history: History; byRun: boolean; seen: (first: number, last: number) => void };

function Graph({ documentId, history, byRun, seen }: GraphProps) {
  const chosen = address.value.query.get('version');
  const wantedBy = useWantedBy(documentId);
  const [active, setActive] = useState(0);
  const [marked, setMarked] = useState<readonly Named[]>([]);
  const [menu, setMenu] = useState<{ id: string; spot: Spot } | null>(null);
  const [deed, setDeed] = useState<OpenDeed | null>(null);
  const entries = useMemo(() => entriesOf(history), [history]);
  const lanes = useMemo(
    () => new Map(history.lanes.map((lane, at) => [lane.workspaceId, { lane, at }])),
    [history.lanes],
  );
  const measure = measureFor(history.lanes.length, ROW);
  const gutter = gutterWidth(measure, history.lanes.length);

  const choose = ({ node }: Entry) => node && go(withQuery({ version: node.id }), { replace: chosen !== null });
  const mark = ({ id, n }: Named) =>
    setMarked((before) =>
      before.some((each) => each.id === id)
        ? before.filter((each) => each.id !== id)
        : [...before.slice(-1), { id, n }],
    );
  const openMenu = (id: string, spot: Spot) => setMenu({ id, spot });
  const doDeed = (wanted: OpenDeed) => runDeed(documentId, wanted, { mark, open: setDeed });

  const onClick = (event: MouseEvent) => {
    const at = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-row]') : null;
    const entry = entries[Number(at?.dataset.row ?? -1)];
    if (!entry?.node || !(event.target instanceof Element)) return;
    setActive(entry.row);
    const pressed = event.target.closest<HTMLElement>('[data-deed]');
    if (pressed?.dataset.deed === 'menu') {
      const { left, bottom } = pressed.getBoundingClientRect();
      openMenu(entry.node.id, { x: left, y: bottom });
    } else if (pressed?.dataset.deed === 'mark' || event.ctrlKey || event.metaKey) mark(entry.node);
    else choose(entry);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const entry = entries[active];
    const wanted = keyDeed(event.key, { active, rows: entries.length, shift: event.shiftKey });
    if (!wanted || !entry) return;
    event.preventDefault();
    if (wanted.to !== undefined) setActive(wanted.to);
    else if (wanted.deed === 'choose') choose(entry);
    else if (wanted.deed === 'close') go(withQuery({ version: null }), { replace: true });
    else if (entry.node && wanted.deed === 'mark') mark(entry.node);
    else if (entry.node) {
      const { right, bottom } = globalThis.document.getElementById(rowId(active))?.getBoundingClientRect() ?? {
        right: 0,
        bottom: 0,
      };
      openMenu(entry.node.id, { x: right - 280, y: bottom });
    }
  };

  return (
    <div class={`history ${chosen ? 'with-panel' : ''}`}>
      <div class="history-graph">
        <div class="history-top">
          <Chosen documentId={documentId} marked={marked} onClear={() => setMarked([])} />
          {entries.length > LONG && (
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
        <Rows
          class="history-rows"
          label="History"
          rows={entries}
          height={ROW}
          keyOf={({ row, node }) => node?.id ?? `row ${row}`}
          shown={active}
          onSeen={seen}
          behind={(first, last) => (
            <Gutter history={history} entries={entries} measure={measure} first={first} last={last} chosen={chosen} />
          )}
          box={{
            role: 'grid',
            'aria-label': 'History: drafts and versions, the newest first',
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
            const { lane, at = 0 } = (entry.node && lanes.get(entry.node.workspaceId)) ?? {};
            return (
              <HistoryRow
                entry={entry}
                lane={lane}
                laneAt={at}
                gutter={gutter}
                byRun={byRun && entry.node?.n === 1}
                wantedBy={wantedBy.get(entry.node?.workspaceId ?? '')}
                active={entry.row === active}
                chosen={entry.node !== undefined && entry.node.id === chosen}
                marked={marked.some(({ id }) => id === entry.node?.id)}
              />
            );
          }}
        </Rows>
      </div>
      {chosen && (
        <VersionPanel
          key={chosen}
          documentId={documentId}
          versionId={chosen}
          workspaceName={(id) => lanes.get(id)?.lane.name}
          byRun={byRun && entries[active]?.node?.n === 1}
          wantedBy={wantedBy.get(entries[active]?.node?.workspaceId ?? '')}
          onMenu={(spot) => openMenu(chosen, spot)}
          onKnown={({ n, workspaceId }) =>
            setActive(n === null ? (lanes.get(workspaceId)?.at ?? 0) : rowOfVersion(history, n))
          }
        />
      )}
      {menu && (
        <VersionMenu
          documentId={documentId}
          versionId={menu.id}
          spot={menu.spot}
          onClose={() => setMenu(null)}
          onDeed={doDeed}
        />
      )}
      {deed && <DeedDialog deed={deed} onClose={() => setDeed(null)} />}
    </div>
  );
}

/** Who asked for the draft of which workspace, by name. */
function useWantedBy(documentId: string): ReadonlyMap<string, string> {
  const { data } = useAsk(HistoryAsksDocument, { id: documentId }, ofDocument(documentId));
  return new Map(
    (data?.document?.workspaces ?? []).flatMap(({ id, reservation }) =>
      reservation && reservation.askedBy.length > 0 ? [[id, namesOf(reservation.askedBy.map(({ by }) => by))]] : [],
    ),
  );
}

const nameOf = ({ n }: Named): string => (n === null ? 'the draft' : `v${n}`);
// the older one first, so that what came is an addition; a draft is newer than any version
const byAge = (a: Named, b: Named) => (a.n ?? Number.POSITIVE_INFINITY) - (b.n ?? Number.POSITIVE_INFINITY);

function Chosen({
  documentId,
  marked,
  onClear,
}: {
  documentId: string;
  marked: readonly Named[];
  onClear: () => void;
}) {
  const [a, b] = marked.length === 2 ? marked.toSorted(byAge) : marked;
  if (!a) {
    return (
      <p class="history-hint quiet">
        <kbd>↑</kbd> <kbd>↓</kbd> move · <kbd>Enter</kbd> opens · <kbd>Space</kbd> or <kbd>Ctrl</kbd>-click marks two to
        compare · <kbd>M</kbd> what to do
      </p>
    );
  }
  return (
    <p class="history-hint" role="status">
      {b ? (
        <a class="button" href={addressOf.document(documentId, 'compare', { from: a.id, to: b.id })}>
          Compare {nameOf(a)} with {nameOf(b)}
        </a>
      ) : (
        <span>{nameOf(a)} is marked: mark another to compare.</span>
      )}
      <button type="button" class="link" onClick={onClear}>
        Clear
      </button>
    </p>
  );
}

type Deeds = { mark: (version: Named) => void; open: (deed: OpenDeed) => void };

function runDeed(documentId: string, deed: OpenDeed, { mark, open }: Deeds): void {
  const { name, version } = deed;
  const { workspace } = version;
  if (name === 'view' || name === 'upload') go(addressOf.document(documentId, '', { version: version.id }));
  else if (name === 'compare') mark(version);
  else if (name === 'checkIn' || name === 'forceCheckIn')
    void attempt(
      () => ask(HistoryCheckinDocument, { id: workspace.id, force: name === 'forceCheckIn' }),
      `${workspace.name} is checked in.`,
    );
  else if (name === 'archiveWorkspace')
    void attempt(() => ask(HistoryArchiveWorkspaceDocument, { id: workspace.id }), `${workspace.name} is archived.`);
  else if (name === 'unarchiveWorkspace')
    void attempt(() => ask(HistoryUnarchiveWorkspaceDocument, { id: workspace.id }), `${workspace.name} is back.`);
  else open(deed);
}
