import { formatDateTime, formatRelativeTime } from './format.ts';

/** A relative time; its tooltip shows the date and time. */
export function Time({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatDateTime(at)}>
      {formatRelativeTime(at)}
    </time>
  );
}
