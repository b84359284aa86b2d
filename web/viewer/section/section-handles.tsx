// The section planes over the 3D view: their outlines, and a handle to drag each of them.
import type { Signal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { mapPoint } from '../../../subgraphs/core/domain/measure/vector.ts';
import { AXES, type Axis, type Box, type Point } from '../space.ts';
import type { Frame } from '../three/stage.ts';
import { type Cut, rangeAlong } from '../view-state.ts';

type ScreenPoint = readonly [x: number, y: number];
type SectionHandlesProps = {
  frame: Signal<Frame | null>;
  cuts: readonly Cut[];
  box: Box;
  onChange: (cuts: readonly Cut[]) => void;
};

const ARROW = 34; // length in CSS pixels
/** Below this many pixels for the length of the model, its axis points at the viewer: dragging up and down moves. */
const MIN_PIXELS = 24;

/** Hidden from screen readers: the bars of the section planes do the same. */
export function SectionHandles({ frame, cuts, box, onChange }: SectionHandlesProps) {
  const data = frame.value;
  if (!data) return null;
  return (
    <svg class="stage-planes" aria-hidden="true">
      {cuts.map((cut, index) => (
        <PlaneHandle
          key={index}
          frame={data}
          cut={cut}
          box={box}
          onMove={(at) => onChange(cuts.with(index, { ...cut, at }))}
        />
      ))}
    </svg>
  );
}

type PlaneHandleProps = { frame: Frame; cut: Cut; box: Box; onMove: (at: number) => void };

function PlaneHandle({ frame, cut, box, onMove }: PlaneHandleProps) {
  const drag = useRef<{ at: number; x: number; y: number; perPixel: ScreenPoint } | null>(null);
  const [low, high] = rangeAlong(box, cut.axis);
  const corners = cornersOf(box, cut).map((corner) => frame.project(corner));
  const center = frame.project(handleOf(box, cut));
  const [from, to] = [low, high].map((at) => frame.project(middleOf(box, cut.axis, at)));
  if (!center || !from || !to || corners.includes(null)) return null;
  const axis: ScreenPoint = [to[0] - from[0], to[1] - from[1]];
  const pixels = Math.hypot(...axis);
  const pointsAtViewer = pixels < MIN_PIXELS;
  const [x, y]: ScreenPoint = pointsAtViewer ? [0, -1] : [axis[0] / pixels, axis[1] / pixels];
  const perPixel = (high - low) / (pointsAtViewer ? frame.size[1] / 2 : pixels);
  const [tipX, tipY] = [center[0] + x * ARROW, center[1] + y * ARROW];
  return (
    <g data-axis={cut.axis}>
      <polygon points={corners.map((corner) => corner?.join()).join(' ')} />
      <line x1={center[0] - x * ARROW} y1={center[1] - y * ARROW} x2={tipX} y2={tipY} />
      <g
        class="plane-handle"
        transform={`translate(${center[0]} ${center[1]})`}
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          event.stopPropagation();
          event.preventDefault();
          event.currentTarget.setPointerCapture(event.pointerId);
          drag.current = { at: cut.at, x: event.clientX, y: event.clientY, perPixel: [x * perPixel, y * perPixel] };
        }}
        onPointerMove={(event) => {
          const start = drag.current;
          if (!start) return;
          event.stopPropagation();
          const moved = (event.clientX - start.x) * start.perPixel[0] + (event.clientY - start.y) * start.perPixel[1];
          onMove(Math.min(high, Math.max(low, start.at + moved)));
        }}
        onPointerUp={(event) => {
          event.stopPropagation();
          drag.current = null;
        }}
        onPointerCancel={() => {
          drag.current = null;
        }}
      >
        <circle class="reach" r="22" />
        <circle r="9" />
        <text>{cut.axis.toUpperCase()}</text>
      </g>
    </g>
  );
}

const withAxis = (point: Point, axis: Axis, at: number): Point =>
  mapPoint(point, (each, index) => (AXES[index] === axis ? at : each));

function middleOf({ min, max }: Box, axis: Axis, at: number): Point {
  const middle: Point = [(min[0] + max[0]) / 2, (min[1] + max[1]) / 2, (min[2] + max[2]) / 2];
  return withAxis(middle, axis, at);
}

/** The handle is in the middle of a side of the plane; those of different axes are apart. */
function handleOf(box: Box, { axis, at }: Cut): Point {
  const side = ({ x: 'z', y: 'x', z: 'x' } as const)[axis];
  const [low, high] = rangeAlong(box, side);
  return withAxis(middleOf(box, axis, at), side, axis === 'z' ? low : high);
}

/** The corners of the box in the plane, in their order around it. */
function cornersOf({ min, max }: Box, { axis, at }: Cut): Point[] {
  const [u, v] = [0, 1, 2].filter((index) => AXES[index] !== axis) as [number, number];
  return [
    [min, min],
    [max, min],
    [max, max],
    [min, max],
  ].map(([alongU, alongV]) => {
    const corner: [number, number, number] = [...min];
    corner[u] = alongU?.[u] ?? 0;
    corner[v] = alongV?.[v] ?? 0;
    return withAxis(corner, axis, at);
  });
}
