// A control to choose one of a few options.
type SegmentedControlProps<Id extends string> = {
  label: string;
  options: readonly { id: Id; label: string; tooltip?: string }[];
  value: Id;
  onChange: (id: Id) => void;
};

/** Buttons for a few options, one of which is pressed. */
export function SegmentedControl<Id extends string>({ label, options, value, onChange }: SegmentedControlProps<Id>) {
  return (
    <fieldset class="choice joined" aria-label={label}>
      {options.map(({ id, label: text, tooltip }) => (
        <button key={id} type="button" aria-pressed={id === value} title={tooltip} onClick={() => onChange(id)}>
          {text}
        </button>
      ))}
    </fieldset>
  );
}
