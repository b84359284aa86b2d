// The controls of the section plane.
import { Icon } from '../ui/icon.tsx';
import { AXES, type Axis, type Box } from './space.ts';
import type { Cut } from './three/stage.ts';

/** Returns a cut through the center of the box that removes the half nearer to the front, right or top. */
export function cutThroughCenter(box: Box, axis: Axis): Cut {
  const index = AXES.indexOf(axis);
  return { axis, flipped: axis === 'y', at: ((box.min[index] ?? 0) + (box.max[index] ?? 0)) / 2 };
}

/** Sets the axis, position and direction of the section plane. */
export function SectionBar({ cut, box, onChange }: { cut: Cut; box: Box; onChange: (cut: Cut) => void }) {
  const index = AXES.indexOf(cut.axis);
  const [low, high] = [box.min[index] ?? 0, box.max[index] ?? 0];
  return (
    <fieldset class="section-bar" aria-label="Section">
      {AXES.map((axis) => (
        <button
          key={axis}
          type="button"
          aria-pressed={axis === cut.axis}
          aria-label={`Cut across ${axis.toUpperCase()}`}
          onClick={() => onChange(cutThroughCenter(box, axis))}
        >
          {axis.toUpperCase()}
        </button>
      ))}
      <input
        type="range"
        aria-label={`Position along ${cut.axis.toUpperCase()} in mm`}
        min={low}
        max={high}
        step={(high - low) / 500 || 1}
        value={cut.at}
        onInput={(event) => onChange({ ...cut, at: Number(event.currentTarget.value) })}
      />
      <input
        type="number"
        class="mono"
        aria-label={`${cut.axis.toUpperCase()} in mm`}
        step="any"
        value={Number(cut.at.toFixed(3))}
        onChange={({ currentTarget: { valueAsNumber: at } }) =>
          Number.isFinite(at) && onChange({ ...cut, at: Math.min(high, Math.max(low, at)) })
        }
      />
      mm
      <button type="button" onClick={() => onChange({ ...cut, flipped: !cut.flipped })}>
        <Icon name="cut" /> Flip
      </button>
    </fieldset>
  );
}
