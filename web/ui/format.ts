// Figures, sizes and times as people read them, in the language of the browser.
const NUMBER = new Intl.NumberFormat(undefined, { maximumFractionDigits: 3 });
const DAY_AND_TIME = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const AGO = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });
const STEPS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** A figure with at most three digits behind the point. */
export const figure = (value: number): string => NUMBER.format(value);

/** Bytes as kB, MB or GB (powers of 1000). */
export function bytes(size: number): string {
  if (size < 1000) return `${size} B`;
  const [unit, step] = size < 1e6 ? ['kB', 1e3] : size < 1e9 ? ['MB', 1e6] : (['GB', 1e9] as const);
  return `${(size / Number(step)).toPrecision(3).replace(/\.?0+$/, '')} ${unit}`;
}

export const dayAndTime = (at: string): string => DAY_AND_TIME.format(new Date(at));

/** "3 hours ago", "in 20 minutes"; within a minute "now". */
export function ago(at: string, now = Date.now()): string {
  const seconds = (Date.parse(at) - now) / 1000;
  const step = STEPS.find(([, length]) => Math.abs(seconds) >= length);
  return step ? AGO.format(Math.round(seconds / step[1]), step[0]) : AGO.format(0, 'second');
}

/** Seconds as "850 ms", "12 s", "3 min 20 s", "2 h 5 min". */
export function duration(seconds: number): string {
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 60) return `${Math.round(seconds * 10) / 10} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.round((seconds % 3600) / 60)} min`;
}
