// The form for linear and circular copies of an instance.
import { useState } from 'preact/hooks';
import type { Point } from '../../subgraphs/core/domain/measure/vector.ts';
import { AxisFields, NumberField } from './number-fields.tsx';
import type { Pattern } from './pattern.ts';

type PatternProps = {
  /** The number of the component. */
  name: string;
  /** How many instances the component has, and how many more it may get. */
  quantity: number;
  maxCopies: number;
  onCopy: (pattern: Pattern, copies: number) => void;
  onArrange: (pattern: Pattern) => void;
};

/** Copies an instance, or arranges all instances of the component. */
export function PatternForm({ name, quantity, maxCopies, onCopy, onArrange }: PatternProps) {
  const [kind, setKind] = useState<Pattern['kind']>('line');
  const [copies, setCopies] = useState(1);
  const [step, setStep] = useState<Point>([0, 0, 0]);
  const [center, setCenter] = useState<Point>([0, 0, 0]);
  const [axis, setAxis] = useState<'X' | 'Y' | 'Z'>('Z');
  const [typedAngle, setAngle] = useState<number | null>(null);
  const angleFor = (places: number) => typedAngle ?? 360 / Math.max(1, places);
  const patternOf = (places: number): Pattern =>
    kind === 'line' ? { kind, step } : { kind, center, axis, angle: angleFor(places) };
  return (
    <div class="pattern">
      <div class="row">
        <NumberField
          caption="Copies"
          label={`Copies of ${name}`}
          value={copies}
          min={1}
          max={maxCopies}
          whole
          onChange={setCopies}
        />
        <select
          aria-label={`Pattern of ${name}`}
          value={kind}
          onChange={({ currentTarget }) => setKind(currentTarget.value === 'circle' ? 'circle' : 'line')}
        >
          <option value="line">in a line</option>
          <option value="circle">in a circle</option>
        </select>
      </div>
      {kind === 'line' ? (
        <div class="field-row">
          <span>Step</span>
          <AxisFields
            label={(each) => `Step along ${each} of ${name} in mm`}
            values={step}
            unit="mm"
            onChange={setStep}
          />
        </div>
      ) : (
        <>
          <div class="field-row">
            <span>Center</span>
            <AxisFields
              label={(each) => `${each} of the center of ${name} in mm`}
              values={center}
              unit="mm"
              onChange={setCenter}
            />
          </div>
          <div class="field-row">
            <label class="inline">
              About
              <select
                value={axis}
                onChange={({ currentTarget }) => setAxis(currentTarget.value as 'X' | 'Y' | 'Z')}
                aria-label={`Axis of the circle of ${name}`}
              >
                {['X', 'Y', 'Z'].map((each) => (
                  <option key={each}>{each}</option>
                ))}
              </select>
            </label>
            <NumberField
              caption="every"
              unit="°"
              label={`Angle between copies of ${name} in degrees`}
              value={angleFor(copies + 1)}
              onChange={setAngle}
            />
          </div>
        </>
      )}
      <div class="row">
        <button type="button" onClick={() => onCopy(patternOf(copies + 1), copies)}>
          {copies === 1 ? 'Add 1 copy' : `Add ${copies} copies`}
        </button>
        {quantity > 1 && (
          <button type="button" onClick={() => onArrange(patternOf(quantity))}>
            Arrange all {quantity}
          </button>
        )}
      </div>
    </div>
  );
}
