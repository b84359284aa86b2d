// What is kept of those who follow the log: webhooks, what is on its way to them, and how far everybody has come.
import type { Lockable } from './lockable.ts';

/** How far somebody who follows the log has come, and which process follows it. A webhook's has the webhook's id and holds only the lease. */
export type EventCursorRecord = Lockable & { _id: string; seq: number; holder: string | null; leaseUntil: Date };

export type WebhookRecord = Lockable & {
  _id: string;
  name: string;
  url: string;
  /** The types of events it gets; none: all that every reader sees. */
  types: string[];
  enabled: boolean;
  /** Why the service turned it off; null when it did not. */
  disabledReason: string | null;
  /** It gets what was recorded after this place in the log. */
  afterSeq: number;
  /** What deliveries are signed with, closed (core/platform/webhook-secret.ts); `until`: an earlier one, good until then. */
  secrets: { sealed: string; until: Date | null }[];
  createdAt: Date;
  createdBy: string;
  updatedAt: Date;
  updatedBy: string;
};

/** An event on its way to a webhook. */
export type DeliveryRecord = {
  /** `<webhookId>:<eventId>`: an event goes to a webhook once, in however many tries. */
  _id: string;
  webhookId: string;
  eventId: string;
  action: string;
  /** Its place in the log; null: looked up when it is sent. */
  seq: number | null;
  status: 'waiting' | 'delivered' | 'failed';
  /** Somebody asked for it, so it is sent to a webhook that is turned off too. */
  forced: boolean;
  failures: number;
  /** The newest tries: `answer` is the beginning of what came back. */
  tries: { at: Date; ms: number; status: number | null; error: string | null; answer: string | null }[];
  /** When it is tried next, 0: as soon as it can be; once it has ended, when it did. */
  nextAt: Date;
  createdAt: Date;
  endedAt: Date | null;
  /** Deleted by the store some time after this moment. */
  expiresAt: Date;
};
