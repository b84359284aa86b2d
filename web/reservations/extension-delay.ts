/** How often a tab checks whether an extension is due. Browsers run the timers of hidden tabs once a minute. */
export const CHECK_MS = 30_000;
export const MAX_DELAY_MS = 5 * 60_000; // the default reservation lasts 15 minutes

/** Returns after how many ms to extend reservations: a third of the shortest remaining time, 30 s to 5 minutes. */
export function extensionDelay(held: readonly { expiresAt: string }[], now: number): number {
  const remaining = Math.min(...held.map(({ expiresAt }) => Date.parse(expiresAt) - now));
  return Math.min(Math.max(remaining / 3, CHECK_MS), MAX_DELAY_MS);
}
