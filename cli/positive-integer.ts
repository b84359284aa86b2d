import { InvalidArgumentError } from 'commander';

/** Parses the value of an option as a positive integer. */
export function parsePositiveInteger(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('Expected a positive integer.');
  return Number(text);
}
