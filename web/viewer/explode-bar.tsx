/** Sets how far the parts are moved apart. */
export function ExplodeBar({ amount, onChange }: { amount: number; onChange: (amount: number) => void }) {
  return (
    <fieldset class="section-bar" aria-label="Exploded view">
      <span>Together</span>
      <input
        type="range"
        aria-label="Distance between the parts in percent"
        min={0}
        max={100}
        value={amount * 100}
        onInput={({ currentTarget }) => onChange(Number(currentTarget.value) / 100)}
      />
      <span>Apart</span>
    </fieldset>
  );
}
