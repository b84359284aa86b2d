// What this process tells whoever counts: on diagnostics channels, which cost nothing while nobody listens. No message holds an id.
import { channel, subscribe, unsubscribe } from 'node:diagnostics_channel';

/** A command that ended: how often its transaction was run (1: no conflict), how it ended, and the actions of its audit records. */
export type CommandTold = { command: string; runs: number; outcome: 'committed' | 'refused' | 'failed'; actions: readonly string[] };
/** A sweep of ended leases that went through, and how many jobs it put back or failed. */
export type SweepTold = { at: Date; count: number };
/** A ring that went to other processes: stored there, taken for a repetition, or lost on the way. */
export type RingTold = { result: 'stored' | 'repeated' | 'lost' };

const COMMAND = 'pdm:command';
const SWEEP = 'pdm:sweep';
const RING = 'pdm:ring';
const commands = channel(COMMAND);
const sweeps = channel(SWEEP);
const rings = channel(RING);

export const tellCommand = (told: CommandTold): void => commands.publish(told);
export const tellSweep = (told: SweepTold): void => sweeps.publish(told);
export const tellRing = (told: RingTold): void => rings.publish(told);

/** Hears of every command, sweep and ring of this process from now on; answers how to stop. */
export function hear(on: { command(told: CommandTold): void; sweep(told: SweepTold): void; ring(told: RingTold): void }): () => void {
  const command = (told: unknown) => on.command(told as CommandTold);
  const sweep = (told: unknown) => on.sweep(told as SweepTold);
  const ring = (told: unknown) => on.ring(told as RingTold);
  subscribe(COMMAND, command);
  subscribe(SWEEP, sweep);
  subscribe(RING, ring);
  return () => {
    unsubscribe(COMMAND, command);
    unsubscribe(SWEEP, sweep);
    unsubscribe(RING, ring);
  };
}
