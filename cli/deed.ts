import type { Command } from 'commander';
import type { Terminal } from './terminal.ts';

/** What one command takes and does; `run` gets its options and then its arguments, and answers with how `pdm` ends. */
export type Deed = {
  define(command: Command): unknown;
  run(terminal: Terminal, options: never, ...given: never[]): Promise<number>;
};

/** A command by the words typed after `pdm`. Its module is loaded when it is asked for, so that the others cost nothing at the start. */
export type Listed = {
  words: string;
  says: string;
  /** The heading of the help it stands under. */
  group: string;
  /** Takes --json too. */
  json?: boolean;
  load(): Promise<Deed>;
};
