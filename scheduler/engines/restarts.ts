import type { EngineSlot } from './engine.ts';

/** Why an engine process ended unexpectedly. */
export type RestartReason = 'crash' | 'memory' | 'timeout' | 'cancelled';
export type Restarts = Pick<EngineSlot, 'restarts' | 'restartReasons'>;

export const RESTART_REASONS: readonly RestartReason[] = ['crash', 'memory', 'timeout', 'cancelled'];

/** Counts restarts of a process by the reason why the previous one ended. */
export function createRestartCounter() {
  const counts = new Map<RestartReason, number>();
  let pending: RestartReason | null = null;
  return {
    ended(reason: RestartReason): void {
      pending = reason;
    },
    started(): void {
      if (pending) counts.set(pending, (counts.get(pending) ?? 0) + 1);
      pending = null;
    },
    state: (): Restarts => summarize((reason) => counts.get(reason) ?? 0),
  };
}

/** Returns the sum of the restarts of several processes. */
export function sumRestarts(processes: readonly Restarts[]): Restarts {
  return summarize((reason) => processes.reduce((sum, { restartReasons }) => sum + restartReasons[reason], 0));
}

function summarize(count: (reason: RestartReason) => number): Restarts {
  const restartReasons = {
    crash: count('crash'),
    memory: count('memory'),
    timeout: count('timeout'),
    cancelled: count('cancelled'),
  };
  return { restarts: RESTART_REASONS.reduce((sum, reason) => sum + restartReasons[reason], 0), restartReasons };
}
