// Records of webhooks, their deliveries, and cursors in the event log.
import type { Lockable } from './lockable.ts';

/**
 * The position of a consumer in the event log, and the process that runs the consumer. The cursor of a webhook has the
 * webhook's id and uses only the lease.
 */
export type EventCursorRecord = Lockable & { _id: string; seq: number; holder: string | null; leaseUntil: Date };

export type WebhookRecord = Lockable & {
  _id: string;
  name: string;
  url: string;
  /** The types of events it receives; empty: all events that readers see. */
  types: string[];
  enabled: boolean;
  /** Why the service disabled it; null if it did not. */
  disabledReason: string | null;
  /** The webhook receives events with a higher `seq`. */
  afterSeq: number;
  /** The encrypted signing secrets (core/platform/webhook-secret.ts); `until`: when an earlier one expires. */
  secrets: { sealed: string; until: Date | null }[];
  createdAt: Date;
  createdBy: string;
  updatedAt: Date;
  updatedBy: string;
};

/** The delivery of an event to a webhook. */
export type DeliveryRecord = {
  /** `<webhookId>:<eventId>`: each event is delivered to a webhook once, in one or more attempts. */
  _id: string;
  webhookId: string;
  eventId: string;
  action: string;
  /** Its position in the log; null: looked up when it is sent. */
  seq: number | null;
  status: 'waiting' | 'delivered' | 'failed';
  /** Whether the delivery was requested explicitly; it is then sent even to a disabled webhook. */
  forced: boolean;
  failures: number;
  /** The newest attempts; `answer` is the start of the response body. */
  tries: { at: Date; ms: number; status: number | null; error: string | null; answer: string | null }[];
  /** The time of the next attempt, 0: as soon as possible; after the end, the time of the end. */
  nextAt: Date;
  createdAt: Date;
  endedAt: Date | null;
  /** Deleted by the store some time after this moment. */
  expiresAt: Date;
};
