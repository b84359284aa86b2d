import type { ParseArgsOptionsConfig } from 'node:util';
import type { Config } from '../subgraphs/core/config.ts';

/** How the operator's command ends, for scripts. */
export const EXIT = {
  /** All is well, or done as asked. */
  good: 0,
  /** Something is wrong with what is stored; what it is stands above. */
  wrong: 1,
  /** It could not be told, or not be done. */
  cannotTell: 2,
  /** The command line makes no sense. */
  usage: 64,
} as const;

export type Given = Record<string, string | boolean | (string | boolean)[] | undefined>;

/** One deed of the operator; `run` answers with the exit code. */
export type OperatorCommand = {
  /** What is typed after `pdm`. */
  words: string;
  usage: string;
  says: string;
  options: ParseArgsOptionsConfig;
  /** Takes what is no option too, as `operands`; what follows `--` is among them. */
  operands?: boolean;
  run(given: Given, config: Config): Promise<number>;
};

/** A sentence for the operator instead of a stack; ends with 2, or 64 when the command line is at fault. */
export class OperatorError extends Error {
  readonly code: number;
  constructor(message: string, code: number = EXIT.cannotTell) {
    super(message);
    this.code = code;
  }
}

/** The texts given for an option, in their order. */
export function textsOf(given: Given, option: string): string[] {
  return [given[option] ?? []].flat().map(String);
}
