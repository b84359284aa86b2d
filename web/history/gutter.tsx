import { useMemo } from 'preact/hooks';
import { type History, type HistoryEntry, rowOfNode } from './graph-model.ts';
import { type GutterLayout, gutterWidth, indexLines, isBetweenLanes, laneX, linesOf, pathOf } from './lines.ts';

const LANE_CLASSES = ['lane-1', 'lane-2', 'lane-3', 'lane-4', 'lane-5', 'lane-6'];
/** Returns the CSS class of a lane color; main has the first. */
export const laneClass = (lane: number): string => LANE_CLASSES[lane % LANE_CLASSES.length] ?? '';

type GutterProps = {
  history: History;
  entries: readonly HistoryEntry[];
  layout: GutterLayout;
  first: number;
  last: number;
  chosen: string | null;
};

/** The graph beside the visible rows: lines from children to parents, dashed dots for drafts, filled for versions. */
export function Gutter({ history, entries, layout, first, last, chosen }: GutterProps) {
  const index = useMemo(() => indexLines(linesOf(history)), [history]);
  const laneOf = useMemo(
    () => new Map(history.lanes.map(({ workspaceId }, lane) => [workspaceId, lane])),
    [history.lanes],
  );
  const width = gutterWidth(layout, history.lanes.length);
  const height = (last - first) * layout.rowHeight;
  const lines = index.crossing(first, last - 1);
  const chosenRow = chosen === null ? -1 : rowOfNode(history, chosen);
  return (
    <svg
      class="gutter"
      style={{ top: `${first * layout.rowHeight}px` }}
      width={width}
      height={height}
      viewBox={`0 ${first * layout.rowHeight} ${width} ${height}`}
      aria-hidden="true"
      focusable="false"
    >
      {lines.map((line) => (
        <path
          key={`${line.kind} ${line.top} ${line.bottom}`}
          class={`line ${laneClass(isBetweenLanes(line.kind) ? line.bottomLane : line.topLane)}`}
          data-kind={line.kind}
          d={pathOf(line, first, last, layout)}
        />
      ))}
      {entries.slice(first, last).map(({ row, node }) => {
        const lane = node && laneOf.get(node.workspaceId);
        if (!node || lane === undefined) return null;
        const [x, y] = [laneX(layout, lane), (row + 0.5) * layout.rowHeight];
        return (
          <g key={node.id} class={`dot ${laneClass(lane)} ${node.releasedAs ? 'released' : ''}`} data-type={node.type}>
            {row === chosenRow && <circle class="ring" cx={x} cy={y} r={8.5} />}
            <circle cx={x} cy={y} r={node.releasedAs ? 5.5 : 4.5} />
          </g>
        );
      })}
    </svg>
  );
}
