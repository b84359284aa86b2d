// Formats dates for `$dateToString`.

import { storeError } from '../protocol/errors.ts';

/** The default format: ISO 8601, with the suffix Z in UTC and without a suffix in other time zones. */
export const STANDARD_FORMAT: unique symbol = Symbol('%Y-%m-%dT%H:%M:%S.%L');

/**
 * Formats a date with a strftime-like format (`%Y %m %d %H %M %S %L %j %w %u %U %V %G %B %b %z %Z %%`). The time zone
 * is UTC, an offset such as '+02:00' or a name.
 */
export function formatDate(date: Date, format: string | typeof STANDARD_FORMAT, timezone: string): string {
  const minutes = offsetMinutes(date, timezone);
  const local = new Date(date.getTime() + minutes * 60_000);
  const isUtc = timezone === 'UTC' || timezone === 'GMT';
  const pattern = format === STANDARD_FORMAT ? `${STANDARD_FORMAT.description}${isUtc ? 'Z' : ''}` : format;
  return pattern.replace(/%([\s\S]?)/g, (_, directive: string) => {
    const write = Object.hasOwn(DIRECTIVES, directive) ? DIRECTIVES[directive] : undefined;
    if (!write)
      throw storeError(directive === '' ? 18535 : 18536, `Invalid format character '%${directive}' in format string`);
    return write(local, minutes);
  });
}

const pad = (number: number, width: number): string => String(number).padStart(width, '0');
const DAY_MS = 86_400_000;

const DIRECTIVES: { [directive: string]: (local: Date, offset: number) => string } = {
  '%': () => '%',
  Y: (d) => pad(year(d), 4),
  m: (d) => pad(d.getUTCMonth() + 1, 2),
  d: (d) => pad(d.getUTCDate(), 2),
  H: (d) => pad(d.getUTCHours(), 2),
  M: (d) => pad(d.getUTCMinutes(), 2),
  S: (d) => pad(d.getUTCSeconds(), 2),
  L: (d) => pad(d.getUTCMilliseconds(), 3),
  j: (d) => pad(dayOfYear(d), 3),
  w: (d) => String(d.getUTCDay() + 1),
  u: (d) => String(d.getUTCDay() || 7),
  U: (d) => pad(Math.floor((dayOfYear(d) + 6 - d.getUTCDay()) / 7), 2),
  V: (d) => pad(isoWeek(d).week, 2),
  G: (d) => pad(isoWeek(d).year, 4),
  B: (d) => MONTHS[d.getUTCMonth()]!,
  b: (d) => MONTHS[d.getUTCMonth()]!.slice(0, 3),
  z: (_, offset) =>
    `${offset < 0 ? '-' : '+'}${pad(Math.floor(Math.abs(offset) / 60), 2)}${pad(Math.abs(offset) % 60, 2)}`,
  Z: (_, offset) => String(offset),
};

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

function year(date: Date): number {
  const value = date.getUTCFullYear();
  if (value < 0 || value > 9999)
    throw storeError(18537, `Could not convert date to string: the year is outside the range of 0-9999: ${value}`);
  return value;
}

function dayOfYear(date: Date): number {
  return Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / DAY_MS) + 1;
}

// An ISO week belongs to the year that contains its Thursday.
function isoWeek(date: Date): { year: number; week: number } {
  const thursday = new Date(date.getTime() + (4 - (date.getUTCDay() || 7)) * DAY_MS);
  return { year: thursday.getUTCFullYear(), week: Math.floor((dayOfYear(thursday) - 1) / 7) + 1 };
}

function offsetMinutes(date: Date, timezone: string): number {
  const fixed = /^([+-])(\d{2}):?(\d{2})?$/.exec(timezone);
  if (fixed) return (fixed[1] === '-' ? -1 : 1) * (Number(fixed[2]) * 60 + Number(fixed[3] ?? 0));
  if (timezone === 'UTC' || timezone === 'GMT' || timezone === 'Z') return 0;
  try {
    const parts = new Intl.DateTimeFormat('en-US', { timeZone: timezone, timeZoneName: 'longOffset' }).formatToParts(
      date,
    );
    const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT';
    return name === 'GMT' ? 0 : offsetMinutes(date, name.slice(3));
  } catch (error) {
    if (error instanceof RangeError) throw storeError(40485, `unrecognized time zone identifier: "${timezone}"`);
    throw error;
  }
}
