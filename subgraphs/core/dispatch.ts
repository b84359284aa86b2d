import type { JobType } from './domain/kinds.ts';

/** What is rung for: a job of this type waits, or audit records wait to be sealed. */
export type Bell = JobType | 'audit';

/** The doorbell between a commit and whoever waits for what it left. The store is the truth: a lost ring only delays. */
export type Dispatch = {
  ring(bell: Bell): void;
  /** Resolves at the next ring of one of the bells, after the time, or when the signal aborts; never rejects. */
  heard(bells: readonly Bell[], milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** Aborts when it is closed: the service stops, and whoever waits for a job gives up. */
  readonly closed: AbortSignal;
  close(): void;
};
