// A job in words: what it makes, how it stands, and what an error of the engine means for the person whose file it was.
import { duration } from '../ui/format.ts';

type Timed = { queuedAt: string; startedAt: string | null; finishedAt: string | null };

const DEEDS: Record<string, string> = {
  convert: 'Read the file and draw it',
  assemble: 'Put the assembly together',
  export: 'Export',
  run: 'Run the generator',
};

/** What a job does, e.g. "Export as STP". */
export const jobDeed = (type: string, format: string | null): string =>
  `${DEEDS[type] ?? type}${format ? ` as ${format}` : ''}`;

/** The mark of a status: its colour. */
export const statusMark = (status: string): string =>
  status === 'done'
    ? 'good'
    : status === 'failed'
      ? 'bad'
      : status === 'running'
        ? 'accent'
        : status === 'waiting'
          ? 'warn'
          : '';

/** How long a job waited and ran, up to `now` where it still does. */
export function jobTimes(
  { queuedAt, startedAt, finishedAt }: Timed,
  now: number,
): { waited: string; ran: string | null } {
  const seconds = (from: string, to: string | null) =>
    Math.max(0, ((to ? Date.parse(to) : now) - Date.parse(from)) / 1000);
  return {
    waited: duration(seconds(queuedAt, startedAt ?? finishedAt)),
    ran: startedAt ? duration(seconds(startedAt, finishedAt)) : null,
  };
}
