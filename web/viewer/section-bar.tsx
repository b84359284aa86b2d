import { Icon } from '../ui/icon.tsx';
import { AXES, type Axis, type Box, millimetres } from './space.ts';
import type { Cut } from './three/stage.ts';

/** In the middle of the model; what is nearer to who looks from the front, the right or above is taken away. */
export function cutThrough(box: Box, axis: Axis): Cut {
  const at = AXES.indexOf(axis);
  return { axis, flipped: axis === 'y', at: ((box.min[at] ?? 0) + (box.max[at] ?? 0)) / 2 };
}

/** Where the model is cut: across which axis, and how far along it. */
export function SectionBar({ cut, box, onChange }: { cut: Cut; box: Box; onChange: (cut: Cut) => void }) {
  const at = AXES.indexOf(cut.axis);
  const [low, high] = [box.min[at] ?? 0, box.max[at] ?? 0];
  return (
    <fieldset class="section-bar" aria-label="Section">
      {AXES.map((axis) => (
        <button
          key={axis}
          type="button"
          aria-pressed={axis === cut.axis}
          aria-label={`Cut across ${axis.toUpperCase()}`}
          onClick={() => onChange(cutThrough(box, axis))}
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
      <output class="mono">{millimetres(cut.at)} mm</output>
      <button type="button" onClick={() => onChange({ ...cut, flipped: !cut.flipped })}>
        <Icon name="cut" /> Other side
      </button>
    </fieldset>
  );
}
