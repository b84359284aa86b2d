// Draws measurements over the 3D view.
import type { Signal } from '@preact/signals';
import type { Frame } from '../three/stage.ts';
import { placeLabels, type ScreenPoint } from './labels.ts';
import { entityTexts, headlineText } from './measurement.ts';
import type { Measuring } from './use-measuring.ts';

/**
 * The measured lines with their lengths, and the point under the pointer. A line is faint if one of its parts is
 * hidden, and omitted if both are. Hidden from screen readers: the panel contains the same as text.
 */
export function MeasureOverlay({ frame, measuring }: { frame: Signal<Frame | null>; measuring: Measuring }) {
  const { active, first, measurements, isHidden, hovered, cross } = measuring;
  if (!frame.value || (!active && measurements.length === 0)) return null;
  const { project, size } = frame.value;
  const next = active ? hovered.value : null;
  const [start, end] = [first && project(first.at), next && project(next.at)];
  const lines = measurements.flatMap((measurement) => {
    const [from, to] = [project(measurement.line[0]), project(measurement.line[1])];
    const hidden = [measurement.from, measurement.to].filter(({ row }) => isHidden(row)).length;
    return from && to && hidden < 2 ? [{ from, to, text: headlineText(measurement), faint: hidden === 1 }] : [];
  });
  const labels = placeLabels(lines, size);
  return (
    <svg class="stage-measures" aria-hidden="true">
      {lines.map(({ from, to, faint }, index) => (
        <g key={index} class={faint ? 'faint' : ''}>
          <Line from={from} to={to} />
          <PointMark at={from} />
          <PointMark at={to} />
        </g>
      ))}
      {labels.map(
        (label, index) =>
          label && (
            <text key={index} x={label[0]} y={label[1]}>
              {lines[index]?.text}
            </text>
          ),
      )}
      {start && end && <Line from={start} to={end} class="coming" />}
      {start && <PointMark at={start} />}
      {next && end && <PointMark at={end} feature={next.feature} />}
      {next?.entity && end && <EntityText at={end} width={size[0]} lines={entityTexts(next.entity)} />}
      {active && cross.value && <path d={`M${cross.value.x - 9} ${cross.value.y}h18m-9 -9v18`} />}
    </svg>
  );
}

const Line = ({ from, to, class: className = '' }: { from: ScreenPoint; to: ScreenPoint; class?: string }) => (
  <line class={className} x1={from[0]} y1={from[1]} x2={to[0]} y2={to[1]} />
);

/** What is under the pointer, beside it. A point needs no description. */
function EntityText({ at: [x, y], width, lines }: { at: ScreenPoint; width: number; lines: string[] }) {
  if (lines.length < 2) return null;
  const isLeft = x > width / 2;
  const edge = isLeft ? x - 16 : x + 16;
  return (
    <text class={isLeft ? 'entity left' : 'entity'} y={y + 16}>
      {lines.map((line, index) => (
        <tspan key={line} x={edge} dy={index ? 18 : 0}>
          {line}
        </tspan>
      ))}
    </text>
  );
}

/** A picked point is a dot; a point under the pointer has a mark that depends on the feature it snaps to. */
function PointMark({ at: [x, y], feature }: { at: ScreenPoint; feature?: keyof typeof MARKS }) {
  if (feature) return <path class="pointed" d={`M${x} ${y}${MARKS[feature]}`} />;
  return <circle cx={x} cy={y} r="3.5" />;
}

const RING = 'm-6 0a6 6 0 1 0 12 0a6 6 0 1 0 -12 0';
const CENTER = `${RING}m6 -9v18m-9 -9h18`;
const SQUARE = 'm-6 -6h12v12h-12z';
const MARKS = {
  vertex: SQUARE,
  center: CENTER,
  crossing: SQUARE,
  middle: 'm0 -7l7 12h-14z',
  edge: 'm0 -7l7 7l-7 7l-7 -7z',
  face: RING,
  cut: RING,
};
