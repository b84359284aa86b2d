import type { Signal } from '@preact/signals';
import { AXES, type Box, millimetres, sizeOf } from './space.ts';
import type { Frame } from './three/stage.ts';

const LONG = 26;

/** Over the picture: where the axes point, and the lengths of the measured box. Said in words below the picture, hence not read aloud. */
export function Overlay({ frame, box }: { frame: Signal<Frame | null>; box: Box | null }) {
  const drawn = frame.value;
  if (!drawn) return null;
  const sizes = box && sizeOf(box);
  return (
    <>
      <svg class="stage-axes" viewBox="-40 -40 80 80" aria-hidden="true">
        {AXES.map((axis) => {
          const [x, y] = drawn.axes[axis];
          return (
            <g key={axis} class={`axis-${axis}`}>
              <line x1="0" y1="0" x2={x * LONG} y2={y * LONG} />
              <text x={x * (LONG + 8)} y={y * (LONG + 8)}>
                {axis.toUpperCase()}
              </text>
            </g>
          );
        })}
      </svg>
      {sizes && (
        <svg class="stage-lengths" aria-hidden="true">
          {drawn.lengths.map(({ axis, x, y }) => (
            <text key={axis} x={x} y={y}>
              {millimetres(sizes[AXES.indexOf(axis)] ?? 0)}
            </text>
          ))}
        </svg>
      )}
    </>
  );
}
