// The changes of an audit record as text.
export type Change = { field: string; from: string; to: string };

const MAX_LENGTH = 400;

/** Returns the changes of an audit record (field → {from, to}) as text; other shapes become JSON. */
export function changesOf(changes: unknown): Change[] {
  if (typeof changes !== 'object' || changes === null) return [];
  return Object.entries(changes).map(([field, change]: [string, unknown]) => {
    const hasFromTo = typeof change === 'object' && change !== null && ('from' in change || 'to' in change);
    return hasFromTo
      ? {
          field,
          from: formatValue('from' in change ? change.from : undefined),
          to: formatValue('to' in change ? change.to : undefined),
        }
      : { field, from: '', to: formatValue(change) };
  });
}

function formatValue(value: unknown): string {
  if (value === undefined || value === null) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}
