// Parses points in time.

const RFC_3339 = /^(\d{4}-\d\d-\d\d)(?:T(?:[01]\d|2[0-3]):\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d))?$/i;

/**
 * Parses an RFC 3339 date-time with offset, or a date alone, which means its start in UTC. Returns null for anything
 * else, so that the result never depends on the time zone of the machine, and for dates that do not exist.
 */
export function parseInstant(text: string): Date | null {
  const day = RFC_3339.exec(text)?.[1];
  const date = new Date(text.toUpperCase());
  return day && isDay(day) && !Number.isNaN(date.getTime()) ? date : null;
}

// Date would read 30 February as a day in March.
function isDay(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}
