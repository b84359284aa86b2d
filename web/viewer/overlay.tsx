// The axes and dimensions over the 3D view.
import type { Signal } from '@preact/signals';
import { AXES, type Box, formatMm, sizeOf } from './space.ts';
import type { Frame } from './three/stage.ts';

const AXIS_LENGTH = 26;

/** The axes and the dimensions of the bounding box. Hidden from screen readers: the text below contains the same. */
export function Overlay({ frame, box }: { frame: Signal<Frame | null>; box: Box | null }) {
  const data = frame.value;
  if (!data) return null;
  const sizes = box && sizeOf(box);
  return (
    <>
      <svg class="stage-axes" viewBox="-40 -40 80 80" aria-hidden="true">
        {AXES.map((axis) => {
          const [x, y] = data.axes[axis];
          return (
            <g key={axis} data-axis={axis}>
              <line x1="0" y1="0" x2={x * AXIS_LENGTH} y2={y * AXIS_LENGTH} />
              <text x={x * (AXIS_LENGTH + 8)} y={y * (AXIS_LENGTH + 8)}>
                {axis.toUpperCase()}
              </text>
            </g>
          );
        })}
      </svg>
      {sizes && (
        <svg class="stage-lengths" aria-hidden="true">
          {data.lengths.map(({ axis, x, y }) => (
            <text key={axis} x={x} y={y}>
              {formatMm(sizes[AXES.indexOf(axis)] ?? 0)}
            </text>
          ))}
        </svg>
      )}
    </>
  );
}
