// What this process tells whoever counts: on diagnostics channels, which cost nothing while nobody listens. No message holds an id.
import { channel, subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { JobType } from '../domain/kinds.ts';

/** A command that ended: how often its transaction was run (1: no conflict), how it ended, and the actions of its audit records. */
export type CommandTold = {
  command: string;
  runs: number;
  outcome: 'committed' | 'refused' | 'failed';
  actions: readonly string[];
};
/** A sweep of ended leases that went through, and how many jobs it put back or failed. */
export type SweepTold = { at: Date; count: number };
/** A job notification sent over NATS: published, dropped by the server as a duplicate, or dropped because the server was not reachable. */
export type RingTold = { result: 'published' | 'duplicate' | 'dropped' };

/** An attempt to deliver an event to a webhook: delivered, to be retried, or failed permanently. */
export type DeliveryTold = { result: 'delivered' | 'retried' | 'failed' };

/** A job that was queued, or that is run again because somebody asked for it. */
export type QueueTold = { deed: 'added' | 'retried'; type: JobType };

const COMMAND = 'pdm:command';
const SWEEP = 'pdm:sweep';
const RING = 'pdm:notification';
const DELIVERY = 'pdm:delivery';
const QUEUE = 'pdm:queue';
const commands = channel(COMMAND);
const sweeps = channel(SWEEP);
const rings = channel(RING);
const deliveries = channel(DELIVERY);
const queue = channel(QUEUE);

export const tellCommand = (told: CommandTold): void => commands.publish(told);
export const tellSweep = (told: SweepTold): void => sweeps.publish(told);
export const tellRing = (told: RingTold): void => rings.publish(told);
export const tellDelivery = (told: DeliveryTold): void => deliveries.publish(told);
export const tellQueue = (told: QueueTold): void => queue.publish(told);

type Listener = {
  command(told: CommandTold): void;
  sweep(told: SweepTold): void;
  ring(told: RingTold): void;
  delivery?(told: DeliveryTold): void;
  queue?(told: QueueTold): void;
};

/** Hears of every command, sweep, ring, delivery and queued job of this process from now on; answers how to stop. */
export function hear(on: Listener): () => void {
  const command = (told: unknown) => on.command(told as CommandTold);
  const sweep = (told: unknown) => on.sweep(told as SweepTold);
  const ring = (told: unknown) => on.ring(told as RingTold);
  const delivery = (told: unknown) => on.delivery?.(told as DeliveryTold);
  const queued = (told: unknown) => on.queue?.(told as QueueTold);
  subscribe(COMMAND, command);
  subscribe(SWEEP, sweep);
  subscribe(RING, ring);
  subscribe(DELIVERY, delivery);
  subscribe(QUEUE, queued);
  return () => {
    unsubscribe(COMMAND, command);
    unsubscribe(SWEEP, sweep);
    unsubscribe(RING, ring);
    unsubscribe(DELIVERY, delivery);
    unsubscribe(QUEUE, queued);
  };
}
