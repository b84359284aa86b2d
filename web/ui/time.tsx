import { ago, dayAndTime } from './format.ts';

/** When something was: how long ago, and the time itself to whoever points at it. */
export function Time({ at }: { at: string }) {
  return (
    <time dateTime={at} title={dayAndTime(at)}>
      {ago(at)}
    </time>
  );
}
