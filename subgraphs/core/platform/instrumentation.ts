// Events of this process for metrics, on diagnostics channels, which cost nothing without subscribers. No event
// contains an id.
import diagnostics from 'node:diagnostics_channel';
import type { JobType } from '../domain/kinds.ts';

/**
 * A finished command: how often its transaction ran (1: no conflict), its outcome, and the actions of its audit
 * records.
 */
export type CommandEvent = {
  command: string;
  runs: number;
  outcome: 'committed' | 'refused' | 'failed';
  actions: readonly string[];
};
/** A completed sweep of expired leases, and how many jobs it requeued or failed. */
export type SweepEvent = { at: Date; count: number };
/**
 * A job notification sent over NATS: published, dropped by the server as a duplicate, or dropped because the server was
 * not reachable.
 */
export type NotificationEvent = { result: 'published' | 'duplicate' | 'dropped' };

/** An attempt to deliver an event to a webhook: delivered, to be retried, or failed permanently. */
export type DeliveryEvent = { result: 'delivered' | 'retried' | 'failed' };

/** A request that was rejected with `overloaded`. */
export type OverloadEvent = { access: 'read' | 'write' };

/** A job that was queued, or requeued on request. */
export type QueueEvent = { action: 'added' | 'retried'; type: JobType };

const OVERLOAD = 'pdm:overload';
const COMMAND = 'pdm:command';
const SWEEP = 'pdm:sweep';
const NOTIFICATION = 'pdm:notification';
const DELIVERY = 'pdm:delivery';
const QUEUE = 'pdm:queue';
const overloads = diagnostics.channel(OVERLOAD);
const commands = diagnostics.channel(COMMAND);
const sweeps = diagnostics.channel(SWEEP);
const notifications = diagnostics.channel(NOTIFICATION);
const deliveries = diagnostics.channel(DELIVERY);
const queue = diagnostics.channel(QUEUE);

export const publishOverload = (event: OverloadEvent): void => overloads.publish(event);
export const publishCommand = (event: CommandEvent): void => commands.publish(event);
export const publishSweep = (event: SweepEvent): void => sweeps.publish(event);
export const publishNotification = (event: NotificationEvent): void => notifications.publish(event);
export const publishDelivery = (event: DeliveryEvent): void => deliveries.publish(event);
export const publishQueue = (event: QueueEvent): void => queue.publish(event);

type Listener = {
  overload?(event: OverloadEvent): void;
  command?(event: CommandEvent): void;
  sweep?(event: SweepEvent): void;
  notification?(event: NotificationEvent): void;
  delivery?(event: DeliveryEvent): void;
  queue?(event: QueueEvent): void;
};

/** Subscribes to events of this process. Returns a function that unsubscribes. */
export function subscribe(listener: Listener): () => void {
  const handlers: [string, (event: unknown) => void][] = [
    [OVERLOAD, (event) => listener.overload?.(event as OverloadEvent)],
    [COMMAND, (event) => listener.command?.(event as CommandEvent)],
    [SWEEP, (event) => listener.sweep?.(event as SweepEvent)],
    [NOTIFICATION, (event) => listener.notification?.(event as NotificationEvent)],
    [DELIVERY, (event) => listener.delivery?.(event as DeliveryEvent)],
    [QUEUE, (event) => listener.queue?.(event as QueueEvent)],
  ];
  for (const [name, handler] of handlers) diagnostics.subscribe(name, handler);
  return () => {
    for (const [name, handler] of handlers) diagnostics.unsubscribe(name, handler);
  };
}
