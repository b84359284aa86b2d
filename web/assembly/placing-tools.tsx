// The toolbar of the 3D view of the assembly that is being built.
import { Icon } from '../ui/icon.tsx';

export type PlacingMode = 'move' | 'turn' | 'snap';
/** The steps of the gizmo in mm and degrees, 0 for none, and its axes. */
export type Steps = { millimeters: number; degrees: number; axes: 'assembly' | 'part' };

type ToolsProps = {
  mode: PlacingMode;
  onMode: (mode: PlacingMode) => void;
  steps: Steps;
  onSteps: (changes: Partial<Steps>) => void;
  /** Null if nothing was snapped. */
  onFlip: (() => void) | null;
  /** Null while there is no 3D view. */
  onFit: (() => void) | null;
};

const MODES = [
  { mode: 'move', label: 'Move', title: 'Move (T)' },
  { mode: 'turn', label: 'Rotate', title: 'Rotate (R)' },
  { mode: 'snap', label: 'Snap', title: 'Snap faces and edges (S)' },
] as const;

export function PlacingTools({ mode, onMode, steps, onSteps, onFlip, onFit }: ToolsProps) {
  return (
    <div class="placing-tools" role="toolbar" aria-label="Placing">
      <span class="joined">
        {MODES.map((each) => (
          <button
            key={each.mode}
            type="button"
            aria-pressed={mode === each.mode}
            title={each.title}
            onClick={() => onMode(each.mode)}
          >
            {each.label}
          </button>
        ))}
      </span>
      {mode === 'move' && (
        <StepSelect
          unit="mm"
          steps={[0, 0.1, 1, 5, 10, 50]}
          value={steps.millimeters}
          onPick={(millimeters) => onSteps({ millimeters })}
        />
      )}
      {mode === 'turn' && (
        <StepSelect
          unit="°"
          steps={[0, 1, 5, 15, 45, 90]}
          value={steps.degrees}
          onPick={(degrees) => onSteps({ degrees })}
        />
      )}
      {mode !== 'snap' && (
        <label class="inline">
          Axes of
          <select
            value={steps.axes}
            onChange={({ currentTarget }) => onSteps({ axes: currentTarget.value === 'part' ? 'part' : 'assembly' })}
          >
            <option value="assembly">the assembly</option>
            <option value="part">the part</option>
          </select>
        </label>
      )}
      {onFlip && mode === 'snap' && (
        <button type="button" onClick={onFlip}>
          Flip
        </button>
      )}
      <button type="button" class="end" title="Fit (F)" disabled={!onFit} onClick={() => onFit?.()}>
        <Icon name="fit" /> Fit
      </button>
    </div>
  );
}

type StepProps = { unit: string; steps: readonly number[]; value: number; onPick: (step: number) => void };

function StepSelect({ unit, steps, value, onPick }: StepProps) {
  return (
    <label class="inline">
      Step
      <select value={value} onChange={({ currentTarget }) => onPick(Number(currentTarget.value))}>
        {steps.map((step) => (
          <option key={step} value={step}>
            {step === 0 ? 'none' : `${step} ${unit}`}
          </option>
        ))}
      </select>
    </label>
  );
}
