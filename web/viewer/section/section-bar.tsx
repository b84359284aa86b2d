// The controls of the section planes.
import { Icon } from '../../ui/icon.tsx';
import { AXES, type Box } from '../space.ts';
import { addCut, type Cut, cutThroughCenter, MAX_CUTS, rangeAlong } from '../view-state.ts';

type SectionBarProps = { cuts: readonly Cut[]; box: Box; onChange: (cuts: readonly Cut[]) => void };

/** Sets the axis, position and direction of each section plane, and adds and removes planes. */
export function SectionBar({ cuts, box, onChange }: SectionBarProps) {
  return (
    <div>
      {cuts.map((cut, index) => (
        <PlaneBar
          key={index}
          number={index + 1}
          cut={cut}
          box={box}
          onChange={(next) => onChange(cuts.with(index, next))}
          onRemove={() => onChange(cuts.toSpliced(index, 1))}
          onAdd={index === cuts.length - 1 && cuts.length < MAX_CUTS ? () => onChange(addCut(cuts, box)) : null}
        />
      ))}
    </div>
  );
}

type PlaneBarProps = {
  /** From 1. */
  number: number;
  cut: Cut;
  box: Box;
  onChange: (cut: Cut) => void;
  onRemove: () => void;
  onAdd: (() => void) | null;
};

function PlaneBar({ number, cut, box, onChange, onRemove, onAdd }: PlaneBarProps) {
  const [low, high] = rangeAlong(box, cut.axis);
  return (
    <fieldset class="section-bar" aria-label={`Section plane ${number}`}>
      <span class="joined">
        {AXES.map((axis) => (
          <button
            key={axis}
            type="button"
            data-axis={axis}
            aria-pressed={axis === cut.axis}
            aria-label={`Cut across ${axis.toUpperCase()}`}
            onClick={() => onChange(cutThroughCenter(box, axis))}
          >
            {axis.toUpperCase()}
          </button>
        ))}
      </span>
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
      {onAdd && (
        <button type="button" title="Cut with another plane" onClick={onAdd}>
          <Icon name="plus" /> Plane
        </button>
      )}
      <button type="button" class="bare" aria-label={`Remove plane ${number}`} onClick={onRemove}>
        <Icon name="close" />
      </button>
    </fieldset>
  );
}
