// Formats numbers, sizes and times: numbers and dates in the browser's locale, words in English.
const NUMBER = new Intl.NumberFormat(undefined, { maximumFractionDigits: 3 });
const FIVE_DIGITS = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 5 });
const DAY_AND_TIME = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const EXACT_TIME = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const AGO = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const STEPS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** A number with at most three decimals. */
export const formatNumber = (value: number): string => NUMBER.format(value);

/** A volume with five digits, from 1000 mm³ in cm³, from a cubic meter in m³. */
export const formatVolume = (volume: number, unit: string): string =>
  formatPower(volume, unit, '³', [
    [1e9, 'm'],
    [1e3, 'cm'],
  ]);

/** An area with five digits, from 100 mm² in cm², from a square meter in m². */
export const formatArea = (area: number, unit: string): string =>
  formatPower(area, unit, '²', [
    [1e6, 'm'],
    [1e2, 'cm'],
  ]);

/** A mass in kg with five digits, below 1 kg in g, below 1 g in mg. */
export function formatMass(kilograms: number): string {
  const [factor, unit] = MASSES.find(([factor]) => kilograms * factor >= 1) ?? [1e6, 'mg'];
  return `${FIVE_DIGITS.format(kilograms * factor)} ${unit}`;
}

const MASSES = [
  [1, 'kg'],
  [1e3, 'g'],
] as const;

function formatPower(
  value: number,
  unit: string,
  power: string,
  steps: readonly [size: number, unit: string][],
): string {
  const step = unit === 'mm' ? steps.find(([size]) => Math.abs(value) >= size) : undefined;
  const [size, name] = step ?? [1, unit];
  return `${FIVE_DIGITS.format(value / size)} ${name}${power}`;
}

/** A size in B, kB, MB or GB (powers of 1000), with three significant digits. */
export function formatBytes(size: number): string {
  if (size < 999.5) return `${Math.round(size)} B`;
  if (size < 999.5e3) return `${inUnits(size, 1e3)} kB`;
  return size < 999.5e6 ? `${inUnits(size, 1e6)} MB` : `${inUnits(size, 1e9)} GB`;
}

const inUnits = (size: number, unit: number): number => Number((size / unit).toPrecision(3));

/** A date and time with seconds. */
export const formatExactTime = (at: string): string => EXACT_TIME.format(new Date(at));

export const formatDateTime = (at: string): string => DAY_AND_TIME.format(new Date(at));

/** A time relative to `now`: "3 hours ago", "in 20 minutes"; "now" within a minute. */
export function formatRelativeTime(at: string, now = Date.now()): string {
  const seconds = (Date.parse(at) - now) / 1000;
  const step = STEPS.find(([, length]) => Math.abs(seconds) >= length);
  return step ? AGO.format(Math.round(seconds / step[1]), step[0]) : AGO.format(0, 'second');
}

/** Seconds as "850 ms", "12 s", "3 min 20 s" or "2 h 5 min". */
export function formatDuration(seconds: number): string {
  if (seconds < 0.9995) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 59.95) return `${Math.round(seconds * 10) / 10} s`;
  const whole = Math.round(seconds);
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  const minutes = Math.round(seconds / 60);
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
