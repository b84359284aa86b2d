// Notifications between a commit and the code that waits for its results. The store is the truth: a lost one only
// delays.
import type { AnnouncedJob } from '../domain/jobs/job-event.ts';
import type { JobType } from '../domain/kinds.ts';

/**
 * The reason of a notification: a waiting job of this type, audit records to be sealed, newly sealed records, or a
 * requested webhook delivery. The last three stay inside the process.
 */
export type Topic = JobType | 'audit' | 'sealed' | 'webhook';

/** Notifies waiting code, and waits for notifications. */
export type Dispatch = {
  /**
   * Never throws and never waits. Notifications with the same `key` (`<job>:<attempt>`) within two minutes count as
   * one. The message over NATS contains the job.
   */
  notify(topic: Topic, key?: string, job?: AnnouncedJob): void;
  /** Resolves to true at the next notification of a topic; to false on timeout, abort or close. Never rejects. */
  waitFor(topics: readonly Topic[], milliseconds: number, signal?: AbortSignal): Promise<boolean>;
  /**
   * Calls the listener synchronously at each notification; `key` is null if it has none or comes from another process.
   * Returns a function that removes the listener.
   */
  listen(listener: (topic: Topic, key: string | null) => void): () => void;
  /** Aborts on close, when the service stops and waiting claims end. */
  readonly closed: AbortSignal;
  close(): void;
};

/**
 * Permission to look for a job. One scheduler holds it; another gets it if that one gives it back or dies. The claim
 * decides which job the scheduler gets.
 */
export type Permit = { done(): void; giveBack(milliseconds?: number): void };

/** Whether a remote service is reachable, since when, and the last failure; `lastError` is null after a success. */
export type Connectivity = { reachable: boolean; since: Date; lastError: string | null };

/** The source of a scheduler's permits. */
export type Permits = {
  /**
   * Resolves to up to `max` permits for these types as soon as there is one; to none on timeout, on abort, or at once
   * if the message server is not reachable. Never rejects.
   */
  next(types: readonly JobType[], wait: { max: number; milliseconds: number; signal: AbortSignal }): Promise<Permit[]>;
  /** Whether notifications arrive at present. */
  up(): boolean;
  connectivity(): Connectivity;
  stop(): Promise<void>;
};
