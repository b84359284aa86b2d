// RFC 3339; a day alone is its first moment in UTC
const WRITTEN = /^(\d{4}-\d\d-\d\d)(?:T(?:[01]\d|2[0-3]):\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d))?$/i;

/**
 * The moment that a text names: date, time and offset as RFC 3339 writes them, or a day alone, which begins in UTC. Null for anything else, so
 * that nothing depends on the time zone of the machine that reads it, and for days that there are not.
 */
export function parseInstant(text: string): Date | null {
  const day = WRITTEN.exec(text)?.[1];
  const date = new Date(text.toUpperCase());
  return day && isDay(day) && !Number.isNaN(date.getTime()) ? date : null;
}

// 30 February would count as a day of March
function isDay(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}
