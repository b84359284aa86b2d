// What this process tells whoever counts: on diagnostics channels, which cost nothing while nobody listens. No message holds an id.
import { channel, subscribe, unsubscribe } from 'node:diagnostics_channel';

/** A command that ended: how often its transaction was run (1: no conflict), how it ended, and the actions of its audit records. */
export type CommandTold = { command: string; runs: number; outcome: 'committed' | 'refused' | 'failed'; actions: readonly string[] };
/** A sweep of ended leases that went through, and how many jobs it put back or failed. */
export type SweepTold = { at: Date; count: number };

const COMMAND = 'pdm:command';
const SWEEP = 'pdm:sweep';
const commands = channel(COMMAND);
const sweeps = channel(SWEEP);

export const tellCommand = (told: CommandTold): void => commands.publish(told);
export const tellSweep = (told: SweepTold): void => sweeps.publish(told);

/** Hears of every command and sweep of this process from now on; answers how to stop. */
export function hear(on: { command(told: CommandTold): void; sweep(told: SweepTold): void }): () => void {
  const command = (told: unknown) => on.command(told as CommandTold);
  const sweep = (told: unknown) => on.sweep(told as SweepTold);
  subscribe(COMMAND, command);
  subscribe(SWEEP, sweep);
  return () => {
    unsubscribe(COMMAND, command);
    unsubscribe(SWEEP, sweep);
  };
}
