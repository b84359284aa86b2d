import type { JobType } from '../domain/kinds.ts';

/**
 * What is rung for: a job of this type waits, audit records wait to be sealed, some were sealed, or a delivery to a webhook
 * was asked for. The last three are heard in this process alone.
 */
export type Bell = JobType | 'audit' | 'sealed' | 'webhook';

/** The doorbell between a commit and whoever waits for what it left. The store is the truth: a lost ring only delays. */
export type Dispatch = {
  /** Never fails and never waits. `key` names what is rung for (`<job>:<attempt>`): rung twice within two minutes, it is one ring. */
  ring(bell: Bell, key?: string): void;
  /** True at the next ring of one of the bells; false after the time, when the signal aborts, or at the end. Never rejects. */
  heard(bells: readonly Bell[], milliseconds: number, signal?: AbortSignal): Promise<boolean>;
  /** Calls at each ring, in the same moment, with what was rung for (null: rung by another process, or for nothing that has a name). Answers how to stop it. */
  listen(listener: (bell: Bell, key: string | null) => void): () => void;
  /** Aborts when it is closed: the service stops, and whoever waits for a job gives up. */
  readonly closed: AbortSignal;
  close(): void;
};

/** Leave to look for a job: handed to one scheduler, and to another when that one gives it back or dies with it. It names no job. */
export type Permit = { done(): void; giveBack(milliseconds?: number): void };

/** How something elsewhere stands: since when, and what the last failure was (no answer, or one that refuses whoever asks altogether); null after a success. */
export type Reach = { reachable: boolean; since: Date; lastError: string | null };

/** Where a scheduler waits for permits. */
export type Permits = {
  /**
   * Up to `most` permits for these types: as soon as there is one, else none after the time or when the signal aborts. Never rejects; at
   * once none while the message server is away.
   */
  next(types: readonly JobType[], wait: { most: number; milliseconds: number; signal: AbortSignal }): Promise<Permit[]>;
  /** Whether rings arrive at the moment. */
  up(): boolean;
  /** Since when that is so, and what went wrong last. */
  reach(): Reach;
  stop(): Promise<void>;
};
