// What a record says was changed, field by field, as text.
export type Change = { field: string; from: string; to: string };

const LONGEST = 400;

/** The changes of an audit record (field → {from, to}); what has another shape is shown as it is. */
export function changesOf(changes: unknown): Change[] {
  if (typeof changes !== 'object' || changes === null) return [];
  return Object.entries(changes).map(([field, change]: [string, unknown]) => {
    const both = typeof change === 'object' && change !== null && ('from' in change || 'to' in change);
    return both
      ? {
          field,
          from: shown('from' in change ? change.from : undefined),
          to: shown('to' in change ? change.to : undefined),
        }
      : { field, from: '', to: shown(change) };
  });
}

function shown(value: unknown): string {
  if (value === undefined || value === null) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
