// Labels, status classes and times of jobs.
import { EXPORTS } from '../../subgraphs/core/domain/formats/formats.ts';
import { formatDuration } from '../ui/format.ts';

type JobTimestamps = { queuedAt: string; startedAt: string | null; finishedAt: string | null };

const TYPE_LABELS: Record<string, string> = {
  convert: 'Convert the CAD file',
  assemble: 'Build the assembly',
  export: 'Export',
  run: 'Run the generator',
};

/** Returns what a job does, e.g. "Export as STEP". */
export function jobLabel(type: string, format: string | null): string {
  if (format === 'SPLIT') return 'Import the STEP assembly';
  return `${TYPE_LABELS[type] ?? type}${format ? ` as ${EXPORTS.find((each) => each.format === format)?.name ?? format}` : ''}`;
}

/** Returns whether a job with this status is waiting or running. */
export const isActiveStatus = (status: string | undefined): boolean => status === 'waiting' || status === 'running';

const STATUS_CLASSES: Record<string, string> = { done: 'good', failed: 'bad', running: 'accent', waiting: 'warn' };

/** Returns the CSS class that colors a status. */
export const statusClass = (status: string): string => STATUS_CLASSES[status] ?? '';

const MIN_ELAPSED_SECONDS = 5; // earlier estimates are wild

/** Estimates how long a running job still takes, e.g. "about 3 min left"; null while it cannot be known. */
export function remainingTime(startedAt: string | null, percent: number | undefined, now: number): string | null {
  const elapsed = startedAt ? (now - Date.parse(startedAt)) / 1000 : 0;
  if (elapsed < MIN_ELAPSED_SECONDS || !percent || percent >= 100) return null;
  const minutes = Math.ceil((elapsed * (100 - percent)) / percent / 60);
  return minutes === 1 ? 'less than a minute left' : `about ${minutes} min left`;
}

/** Returns how far a running job is, e.g. "20 % · reading · about 3 min left". */
export function progressText(
  startedAt: string | null,
  { percent, step }: { percent: number; step: string },
  now: number,
): string {
  const remaining = remainingTime(startedAt, percent, now);
  return [`${Math.round(percent)} %`, step, ...(remaining ? [remaining] : [])].join(' · ');
}

/** Returns how long a job waited and ran, until `now` if it still does. */
export function jobTimes(
  { queuedAt, startedAt, finishedAt }: JobTimestamps,
  now: number,
): { waited: string; ran: string | null } {
  const seconds = (from: string, to: string | null) =>
    Math.max(0, ((to ? Date.parse(to) : now) - Date.parse(from)) / 1000);
  return {
    waited: formatDuration(seconds(queuedAt, startedAt ?? finishedAt)),
    ran: startedAt ? formatDuration(seconds(startedAt, finishedAt)) : null,
  };
}
