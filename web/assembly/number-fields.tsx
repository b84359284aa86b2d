// Fields for three numbers: positions in mm and angles in degrees.
import { useState } from 'preact/hooks';
import { mapPoint, type Point } from '../../subgraphs/core/domain/measure/vector.ts';

type AxisProps = {
  /** The accessible name of the field of an axis. */
  label: (axis: string) => string;
  values: Point;
  unit: 'mm' | '°';
  onChange: (values: Point) => void;
};

export function AxisFields({ label, values, unit, onChange }: AxisProps) {
  return (
    <span class="axes">
      {(['X', 'Y', 'Z'] as const).map((axis, at) => (
        <NumberField
          key={axis}
          caption={axis}
          label={label(axis)}
          value={values[at] as number}
          onChange={(value) => onChange(mapPoint(values, (each, index) => (index === at ? value : each)))}
        />
      ))}
      {unit}
    </span>
  );
}

type NumberProps = {
  /** The accessible name; the caption and unit are shown. */
  label: string;
  caption: string;
  unit?: string;
  value: number;
  onChange: (value: number) => void;
  min?: number;
  max?: number;
  /** Whether only whole numbers are accepted. */
  whole?: boolean;
};

/** A field for a number; ignores input that is no number or out of range. Shows at most six decimal places. */
export function NumberField({ label, caption, unit, value, onChange, min, max, whole = false }: NumberProps) {
  const [typed, setTyped] = useState<string | null>(null); // kept when something else renders meanwhile
  return (
    <label class="inline">
      {caption}
      <input
        type="number"
        step={whole ? 1 : 'any'}
        aria-label={label}
        min={min}
        max={max}
        value={typed ?? Math.round(value * 1e6) / 1e6}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        onBlur={() => setTyped(null)}
        onChange={({ currentTarget: { valueAsNumber } }) => {
          setTyped(null);
          const next = whole ? Math.round(valueAsNumber) : valueAsNumber;
          if (Number.isFinite(next) && next >= (min ?? -Infinity) && next <= (max ?? Infinity)) onChange(next);
        }}
      />
      {unit}
    </label>
  );
}
