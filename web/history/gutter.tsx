import { useMemo } from 'preact/hooks';
import { type Entry, type History, rowOfNode } from './graph-model.ts';
import { gutterWidth, indexLines, laneX, linesOf, type Measure, pathOf } from './lines.ts';

const COLOURS = 6;
/** The class of a lane's colour; the main one has the first. */
export const laneColour = (lane: number): string => `lane-${(lane % COLOURS) + 1}`;

type GutterProps = {
  history: History;
  entries: readonly Entry[];
  measure: Measure;
  first: number;
  last: number;
  chosen: string | null;
};

/** The drawn history beside the rows in sight: lines from children to parents, a dashed circle for a draft, a filled one for a version. */
export function Gutter({ history, entries, measure, first, last, chosen }: GutterProps) {
  const index = useMemo(() => indexLines(linesOf(history)), [history]);
  const laneOf = useMemo(
    () => new Map(history.lanes.map(({ workspaceId }, lane) => [workspaceId, lane])),
    [history.lanes],
  );
  const width = gutterWidth(measure, history.lanes.length);
  const height = (last - first) * measure.row;
  const lines = index.crossing(first, last - 1);
  const chosenRow = chosen === null ? -1 : rowOfNode(history, chosen);
  return (
    <svg
      class="gutter"
      style={{ top: `${first * measure.row}px` }}
      width={width}
      height={height}
      viewBox={`0 ${first * measure.row} ${width} ${height}`}
      aria-hidden="true"
      focusable="false"
    >
      {lines.map((line) => (
        <path
          key={`${line.kind} ${line.top} ${line.bottom}`}
          class={`line ${line.kind} ${laneColour(line.kind === 'takeOver' ? line.bottomLane : line.topLane)}`}
          d={pathOf(line, first, last, measure)}
        />
      ))}
      {entries.slice(first, last).map(({ row, node }) => {
        const lane = node && laneOf.get(node.workspaceId);
        if (!node || lane === undefined) return null;
        const [x, y] = [laneX(measure, lane), (row + 0.5) * measure.row];
        return (
          <g key={node.id} class={`dot ${node.type} ${laneColour(lane)} ${node.releasedAs ? 'released' : ''}`}>
            {row === chosenRow && <circle class="ring" cx={x} cy={y} r={8.5} />}
            <circle cx={x} cy={y} r={node.releasedAs ? 5.5 : 4.5} />
          </g>
        );
      })}
    </svg>
  );
}
