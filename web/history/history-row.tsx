// biome-ignore-all lint/a11y/useSemanticElements: rows that are positioned and virtual cannot be those of a table element
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and names its active row (aria-activedescendant)
import { useMemo } from 'preact/hooks';
import { Icon } from '../ui/icon.tsx';
import { Time } from '../ui/time.tsx';
import type { Entry, Lane } from './graph-model.ts';
import { laneColour } from './gutter.tsx';

type RowProps = {
  entry: Entry;
  lane: Lane | undefined;
  laneAt: number;
  gutter: number;
  /** Made by a run of a generator, with its document. */
  byRun: boolean;
  /** Who asked for the draft of this workspace, by name. */
  wantedBy?: string;
  active: boolean;
  chosen: boolean;
  marked: boolean;
};

/** The id of a row's element, for the grid to say which one is active. */
export const rowId = (row: number): string => `history-row-${row}`;

/** A draft or version in one line. What is pressed in it is told apart by data-deed, by the grid around. */
export function HistoryRow({ entry, lane, laneAt, gutter, byRun, wantedBy, active, chosen, marked }: RowProps) {
  // the same element as before is not looked at again: scrolling draws only the rows that come into sight
  return useMemo(() => {
    const { row, n, node } = entry;
    const attributes = {
      id: rowId(row),
      'data-row': row,
      'aria-rowindex': row + 1,
      class: `history-row ${active ? 'active' : ''} ${chosen ? 'chosen' : ''} ${marked ? 'marked' : ''}`,
      style: { paddingLeft: `${gutter}px` },
    };
    if (!node) {
      return (
        <div role="row" {...attributes}>
          <span role="gridcell" class="n">
            {n === null ? 'Draft' : `v${n}`}
          </span>
          <span role="gridcell" class="unread">
            Reading…
          </span>
        </div>
      );
    }
    const title = node.n === null ? 'Draft' : `v${node.n}`;
    return (
      <div role="row" aria-selected={chosen || marked} {...attributes}>
        <span role="gridcell" class="n">
          {title}
          {node.releasedAs && <Label {...node.releasedAs} />}
        </span>
        <span role="gridcell" class="said" title={[node.name, node.comment].filter(Boolean).join(' — ')}>
          {node.n === null ? (
            <b class={`lane-name ${laneColour(laneAt)}`}>{lane?.name}</b>
          ) : (
            node.name.toLowerCase() !== title && <b>{node.name}</b>
          )}
          {node.comment && <span class="quiet">{node.comment}</span>}
        </span>
        <span role="gridcell" class="marks">
          <Marks
            node={node}
            byRun={byRun}
            archived={node.n === null && (lane?.archived ?? false)}
            wantedBy={wantedBy}
          />
        </span>
        <span role="gridcell" class={`where ${laneColour(laneAt)}`} title={`Workspace ${lane?.name}`}>
          {node.n === null ? '' : lane?.name}
        </span>
        <span role="gridcell" class="by" title={node.createdBy.name}>
          {node.createdBy.name}
        </span>
        <span role="gridcell" class="when">
          <Time at={node.n === null ? node.updatedAt : node.createdAt} />
        </span>
        <span role="gridcell" class="tools">
          <button
            type="button"
            class="bare"
            tabIndex={-1}
            data-deed="mark"
            aria-pressed={marked}
            aria-label={`Compare ${title}`}
            title="Compare"
          >
            <span class="tick">
              <Icon name="done" />
            </span>
          </button>
          <button
            type="button"
            class="bare"
            tabIndex={-1}
            data-deed="menu"
            aria-haspopup="menu"
            aria-label={`What to do with ${title}`}
          >
            <Icon name="more" />
          </button>
        </span>
      </div>
    );
  }, [entry.node, entry.row, entry.n, lane, laneAt, gutter, byRun, wantedBy, active, chosen, marked]);
}

/** The label of a revision; struck through when it is obsolete. */
export function Label({ label, obsolete }: { label: string; obsolete: boolean }) {
  return obsolete ? (
    <span class="mark label obsolete" title="Obsolete">
      <s>{label}</s>
      <span class="visually-hidden">obsolete</span>
    </span>
  ) : (
    <span class="mark good label" title="Revision">
      {label}
    </span>
  );
}

type Marked = NonNullable<Entry['node']>;

type MarksProps = {
  node: Marked;
  byRun: boolean;
  archived: boolean /** Who asked for the draft, by name. */;
  wantedBy?: string;
};

export function Marks({ node, byRun, archived, wantedBy }: MarksProps) {
  return (
    <>
      {archived && <span class="mark">archived</span>}
      {node.reservation && (
        <span class="mark warn" title={`Checked out by ${node.reservation.by.name}`}>
          <Icon name="lock" />
          <span class="visually-hidden">checked out by</span>
          {node.reservation.by.name}
        </span>
      )}
      {node.n === null && wantedBy && (
        <span class="mark accent" title={`Asked for by ${wantedBy}`}>
          <Icon name="ask" />
          <span class="visually-hidden">asked for by</span>
          {wantedBy}
        </span>
      )}
      {byRun && (
        <span class="mark accent" title="Made by a run of a generator">
          <Icon name="jobs" />
          <span class="visually-hidden">made by a run</span>
        </span>
      )}
      {node.newestJob?.status === 'failed' && (
        <span class="mark bad" title="Its newest job failed">
          <Icon name="warning" />
          job failed
        </span>
      )}
      {(node.newestJob?.status === 'waiting' || node.newestJob?.status === 'running') && (
        <span class="mark accent" title="A job works on it">
          <Icon name="jobs" />
          {node.newestJob.status}
        </span>
      )}
    </>
  );
}
