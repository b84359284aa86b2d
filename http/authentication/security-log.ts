import type { Log } from '../../subgraphs/core/platform/log.ts';

const LINES = 60;
const MINUTE = 60_000;

/**
 * Writes what somebody who watches over the service should see: log lines with `security: true`. At most 60 a minute, so that nobody can
 * fill a disk with them; what was left out is counted. `clock` is milliseconds.
 */
export function securityLog(
  log: Log,
  clock: () => number = Date.now,
): (fields: Record<string, unknown>, message: string) => void {
  let minute = 0;
  let lines = 0;
  return (fields, message) => {
    const now = Math.floor(clock() / MINUTE);
    if (now !== minute) {
      if (lines > LINES) log.warn({ security: true, suppressed: lines - LINES }, 'more lines like these were left out');
      [minute, lines] = [now, 0];
    }
    lines += 1;
    if (lines <= LINES) log.warn({ security: true, ...fields }, message);
  };
}
