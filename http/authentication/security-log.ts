// Writes log lines about security events, marked with `security: true`.
import type { Log } from '../../subgraphs/core/platform/log.ts';

const MAX_LINES = 60;
const MINUTE_MS = 60_000;

/**
 * Creates a logger of security events. It writes at most 60 lines a minute, so that a client cannot fill the disk, and
 * reports how many it suppressed. `clock` returns milliseconds.
 */
export function createSecurityLog(
  log: Log,
  clock: () => number = Date.now,
): (fields: Record<string, unknown>, message: string) => void {
  let minute = 0;
  let lines = 0;
  return (fields, message) => {
    const now = Math.floor(clock() / MINUTE_MS);
    if (now !== minute) {
      if (lines > MAX_LINES)
        log.warn({ security: true, suppressed: lines - MAX_LINES }, 'security log lines suppressed');
      [minute, lines] = [now, 0];
    }
    lines += 1;
    if (lines <= MAX_LINES) log.warn({ security: true, ...fields }, message);
  };
}
