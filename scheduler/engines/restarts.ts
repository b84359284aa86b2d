import type { EngineSlot } from './engine.ts';

/** Why a process of an engine ended before its time. */
export type RestartReason = 'crash' | 'memory' | 'timeout' | 'cancelled';
export type Restarts = Pick<EngineSlot, 'restarts' | 'restartReasons'>;

export const RESTART_REASONS: readonly RestartReason[] = ['crash', 'memory', 'timeout', 'cancelled'];

/** Counts how often a process had to be started again, by why the one before it ended. */
export function createRestartCounter() {
  const counts = new Map<RestartReason, number>();
  let owed: RestartReason | null = null;
  return {
    ended(reason: RestartReason): void {
      owed = reason;
    },
    started(): void {
      if (owed) counts.set(owed, (counts.get(owed) ?? 0) + 1);
      owed = null;
    },
    state: (): Restarts => told((reason) => counts.get(reason) ?? 0),
  };
}

/** Restarts of several processes in one count. */
export function sumRestarts(counted: readonly Restarts[]): Restarts {
  return told((reason) => counted.reduce((sum, { restartReasons }) => sum + restartReasons[reason], 0));
}

function told(count: (reason: RestartReason) => number): Restarts {
  const restartReasons = {
    crash: count('crash'),
    memory: count('memory'),
    timeout: count('timeout'),
    cancelled: count('cancelled'),
  };
  return { restarts: RESTART_REASONS.reduce((sum, reason) => sum + restartReasons[reason], 0), restartReasons };
}
