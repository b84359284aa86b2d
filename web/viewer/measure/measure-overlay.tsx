import type { Signal } from '@preact/signals';
import type { Frame } from '../three/stage.ts';
import { labelSpots, type Spot } from './labels.ts';
import { distanceText } from './measurement.ts';
import type { Measuring } from './use-measuring.ts';

/** Over the picture: the lines that were measured with their lengths, fainter where the part at one end is hidden, none where both are; and the place that would be taken. The panel says the same in words. */
export function MeasureOverlay({ frame, measuring }: { frame: Signal<Frame | null>; measuring: Measuring }) {
  const { on, first, list, isAway, pointed, cross } = measuring;
  if (!frame.value || (!on && list.length === 0)) return null;
  const { at, size } = frame.value;
  const next = on ? pointed.value : null;
  const [start, there] = [first && at(first.at), next && at(next.at)];
  const lines = list.flatMap((measurement) => {
    const [from, to] = [at(measurement.from.at), at(measurement.to.at)];
    const away = [measurement.from, measurement.to].filter(({ row }) => isAway(row)).length;
    return from && to && away < 2 ? [{ from, to, text: distanceText(measurement), faint: away === 1 }] : [];
  });
  const labels = labelSpots(lines, size);
  return (
    <svg class="stage-measures" aria-hidden="true">
      {lines.map(({ from, to, faint }, number) => (
        <g key={number} class={faint ? 'faint' : ''}>
          <Line from={from} to={to} />
          <Place at={from} />
          <Place at={to} />
        </g>
      ))}
      {labels.map(
        (spot, number) =>
          spot && (
            <text key={number} x={spot[0]} y={spot[1]}>
              {lines[number]?.text}
            </text>
          ),
      )}
      {start && there && <Line from={start} to={there} class="coming" />}
      {start && <Place at={start} />}
      {next && there && <Place at={there} on={next.on} />}
      {on && cross.value && <path class="cross" d={`M${cross.value.x - 9} ${cross.value.y}h18m-9 -9v18`} />}
    </svg>
  );
}

const Line = ({ from, to, class: more = '' }: { from: Spot; to: Spot; class?: string }) => (
  <line class={more} x1={from[0]} y1={from[1]} x2={to[0]} y2={to[1]} />
);

/** A square on a vertex or a cut edge, a triangle in the middle of an edge, a diamond on an edge, a ring on a face; a dot once it is taken. */
function Place({ at: [x, y], on }: { at: Spot; on?: keyof typeof MARKS }) {
  if (on) return <path class="pointed" d={`M${x} ${y}${MARKS[on]}`} />;
  return <circle cx={x} cy={y} r="3.5" />;
}

const RING = 'm-6 0a6 6 0 1 0 12 0a6 6 0 1 0 -12 0';
const SQUARE = 'm-6 -6h12v12h-12z';
const MARKS = {
  vertex: SQUARE,
  crossing: SQUARE,
  middle: 'm0 -7l7 12h-14z',
  edge: 'm0 -7l7 7l-7 7l-7 -7z',
  face: RING,
  cut: RING,
};
