type ChoiceProps<Id extends string> = {
  label: string;
  options: readonly { id: Id; label: string; why?: string }[];
  value: Id;
  onChange: (id: Id) => void;
};

/** One of a few, all of them seen. */
export function Choice<Id extends string>({ label, options, value, onChange }: ChoiceProps<Id>) {
  return (
    <fieldset class="choice joined" aria-label={label}>
      {options.map(({ id, label: text, why }) => (
        <button key={id} type="button" aria-pressed={id === value} title={why} onClick={() => onChange(id)}>
          {text}
        </button>
      ))}
    </fieldset>
  );
}
