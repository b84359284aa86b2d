import type { JobType } from './domain/kinds.ts';

/** The doorbell between a commit that queued a job and the claim that waits for one. The store is the truth: a lost ring only delays. */
export type Dispatch = {
  /** Says that a job of this type waits. */
  ring(type: JobType): void;
  /** Resolves at the next ring of one of the types, after the time, or when the signal aborts; never rejects. */
  heard(types: readonly JobType[], milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** Aborts when it is closed: the service stops, and whoever waits for a job gives up. */
  readonly closed: AbortSignal;
  close(): void;
};
