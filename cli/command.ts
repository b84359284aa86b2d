import type { Command } from 'commander';
import type { Terminal } from './terminal.ts';

/** The arguments and options of a command, and what it does. */
export type CliCommand = {
  define(command: Command): unknown;
  /** Runs the command and returns the exit code of `pdm`. */
  run(terminal: Terminal, options: never, ...args: never[]): Promise<number>;
};

/** A command in the list of `pdm --help`. Its module is loaded only when the command is used. */
export type CommandEntry = {
  /** The words typed after `pdm`, for example `audit verify`. */
  name: string;
  summary: string;
  /** The heading in the help output. */
  group: string;
  /** Whether `--json` is added to the options of the command. */
  json?: boolean;
  load(): Promise<CliCommand>;
};
