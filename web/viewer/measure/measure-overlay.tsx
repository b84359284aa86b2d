import type { Signal } from '@preact/signals';
import type { Frame } from '../three/stage.ts';
import { distanceText } from './measurement.ts';
import type { Measuring } from './use-measuring.ts';

type Spot = readonly [x: number, y: number];

/** Over the picture: the lines that were measured with their lengths, and the place that would be taken. The panel says the same in words. */
export function MeasureOverlay({ frame, measuring }: { frame: Signal<Frame | null>; measuring: Measuring }) {
  const { on, first, list, pointed, cross } = measuring;
  const at = frame.value?.at;
  if (!at || (!on && list.length === 0)) return null;
  const next = on ? pointed.value : null;
  const [start, there] = [first && at(first.at), next && at(next.at)];
  return (
    <svg class="stage-measures" aria-hidden="true">
      {list.map((measurement, number) => {
        const [from, to] = [at(measurement.from.at), at(measurement.to.at)];
        return from && to && <Measured key={number} from={from} to={to} text={distanceText(measurement)} />;
      })}
      {start && there && <Line from={start} to={there} class="coming" />}
      {start && <Place at={start} />}
      {next && there && <Place at={there} on={next.on} />}
      {on && cross.value && <path class="cross" d={`M${cross.value.x - 9} ${cross.value.y}h18m-9 -9v18`} />}
    </svg>
  );
}

function Measured({ from, to, text }: { from: Spot; to: Spot; text: string }) {
  return (
    <g>
      <Line from={from} to={to} />
      <Place at={from} />
      <Place at={to} />
      <text x={(from[0] + to[0]) / 2} y={(from[1] + to[1]) / 2}>
        {text}
      </text>
    </g>
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
const MARKS = { vertex: SQUARE, crossing: SQUARE, middle: 'm0 -7l7 12h-14z', edge: 'm0 -7l7 7l-7 7l-7 -7z', face: RING, cut: RING };
