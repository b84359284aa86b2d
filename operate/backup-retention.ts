// Which scheduled backups are kept.

/** How many days, weeks and months keep their newest backup. */
export type Retention = { daily: number; weekly: number; monthly: number };

/** Parses PDM_BACKUP_KEEP: days, weeks and months, as 7/4/12. */
export function parseRetention(text: string): Retention {
  const [daily = 0, weekly = 0, monthly = 0] = text.split('/').map(Number);
  return { daily, weekly, monthly };
}

const DAY_MS = 24 * 3_600_000;

/**
 * Returns the times of the backups to keep: all of the last 24 hours before the newest, and the newest one of each of the
 * last days, weeks and months (UTC) that have any. Periods without a backup do not count, so that an interruption deletes
 * nothing.
 */
export function timesToKeep(times: readonly Date[], { daily, weekly, monthly }: Retention): Date[] {
  const newestFirst = times.toSorted((a, b) => b.getTime() - a.getTime());
  const newest = newestFirst[0]?.getTime() ?? 0;
  const kept = new Set(newestFirst.filter((time) => newest - time.getTime() < DAY_MS));
  for (const [count, periodOf] of [
    [daily, dayOf],
    [weekly, weekOf],
    [monthly, monthOf],
  ] as const) {
    const newestOfPeriod = new Map<string | number, Date>();
    for (const time of newestFirst) if (!newestOfPeriod.has(periodOf(time))) newestOfPeriod.set(periodOf(time), time);
    for (const time of [...newestOfPeriod.values()].slice(0, count)) kept.add(time);
  }
  return newestFirst.filter((time) => kept.has(time));
}

const dayOf = (time: Date): number => Math.floor(time.getTime() / DAY_MS);
// 1 January 1970 was a Thursday; weeks start on Monday.
const weekOf = (time: Date): number => Math.floor((dayOf(time) + 3) / 7);
const monthOf = (time: Date): string => time.toISOString().slice(0, 7);
