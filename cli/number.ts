import { InvalidArgumentError } from 'commander';

/** A whole number from 1 on, as an option is given. */
export function countIn(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1 on.');
  return Number(text);
}
