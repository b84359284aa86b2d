// biome-ignore-all lint/a11y/useSemanticElements: absolutely positioned virtual rows cannot be table rows
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus (aria-activedescendant)
import { useMemo } from 'preact/hooks';
import { isActiveStatus } from '../jobs/job-labels.ts';
import { Icon } from '../ui/icon.tsx';
import { Time } from '../ui/time.tsx';
import type { HistoryEntry, Lane } from './graph-model.ts';
import { laneClass } from './gutter.tsx';

type RowProps = {
  entry: HistoryEntry;
  lane: Lane | undefined;
  laneIndex: number;
  gutterWidth: number;
  /** Whether a run of a generator created the version. */
  isGenerated: boolean;
  /** Names of the users who requested check-in of the draft. */
  requestedBy?: string;
  active: boolean;
  chosen: boolean;
  marked: boolean;
};

/** The element id of a row, for aria-activedescendant. */
export const rowId = (row: number): string => `history-row-${row}`;

/** A draft or version in one row. The grid handles clicks by the `data-action` attributes of its buttons. */
export function HistoryRow({
  entry,
  lane,
  laneIndex,
  gutterWidth,
  isGenerated,
  requestedBy,
  active,
  chosen,
  marked,
}: RowProps) {
  // memoized, so that scrolling renders only the rows that become visible
  return useMemo(() => {
    const { row, n, node } = entry;
    const attributes = {
      id: rowId(row),
      'data-row': row,
      'aria-rowindex': row + 1,
      class: `history-row ${active ? 'active' : ''} ${chosen ? 'chosen' : ''} ${marked ? 'marked' : ''}`,
      style: { paddingLeft: `${gutterWidth}px` },
    };
    if (!node) {
      return (
        <div role="row" {...attributes}>
          <span role="gridcell" class="n">
            {n === null ? 'Draft' : `v${n}`}
          </span>
          <span role="gridcell" class="unloaded">
            Loading…
          </span>
        </div>
      );
    }
    const title = node.n === null ? 'Draft' : `v${node.n}`;
    return (
      <div role="row" aria-selected={chosen || marked} {...attributes}>
        <span role="gridcell" class="n">
          {title}
          {node.releasedAs && <RevisionBadge {...node.releasedAs} />}
        </span>
        <span role="gridcell" class="description" title={[node.name, node.comment].filter(Boolean).join(' — ')}>
          {node.n === null ? (
            <b class={`lane-name ${laneClass(laneIndex)}`}>{lane?.name}</b>
          ) : (
            node.name.toLowerCase() !== title && <b>{node.name}</b>
          )}
          {node.comment && <span class="quiet">{node.comment}</span>}
        </span>
        <span role="gridcell" class="marks">
          <StatusBadges
            node={node}
            isGenerated={isGenerated}
            archived={node.n === null && (lane?.archived ?? false)}
            requestedBy={requestedBy}
          />
        </span>
        <span role="gridcell" class={`where ${laneClass(laneIndex)}`} title={`Workspace ${lane?.name}`}>
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
            data-action="mark"
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
            data-action="menu"
            aria-haspopup="menu"
            aria-label={`Actions for ${title}`}
          >
            <Icon name="more" />
          </button>
        </span>
      </div>
    );
  }, [entry.node, entry.row, entry.n, lane, laneIndex, gutterWidth, isGenerated, requestedBy, active, chosen, marked]);
}

/** A revision label, struck through if obsolete. */
export function RevisionBadge({ label, obsolete }: { label: string; obsolete: boolean }) {
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

type BadgeProps = {
  node: NonNullable<HistoryEntry['node']>;
  isGenerated: boolean;
  archived: boolean;
  /** Names of the users who requested check-in of the draft. */
  requestedBy?: string;
};

export function StatusBadges({ node, isGenerated, archived, requestedBy }: BadgeProps) {
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
      {node.n === null && requestedBy && (
        <span class="mark accent" title={`Check-in requested by ${requestedBy}`}>
          <Icon name="ask" />
          <span class="visually-hidden">check-in requested by</span>
          {requestedBy}
        </span>
      )}
      {isGenerated && (
        <span class="mark accent" title="Created by a run of a generator">
          <Icon name="jobs" />
          <span class="visually-hidden">created by a run</span>
        </span>
      )}
      {node.newestJob?.status === 'failed' && (
        <span class="mark bad" title="The newest job failed">
          <Icon name="warning" />
          job failed
        </span>
      )}
      {node.newestJob && isActiveStatus(node.newestJob.status) && (
        <span class="mark accent" title="A job is in progress">
          <Icon name="jobs" />
          {node.newestJob.status}
        </span>
      )}
    </>
  );
}
