import { type Context, createContext, Script } from 'node:vm';
import { storeError } from '../protocol/errors.ts';
import { LIMITS } from '../protocol/limits.ts';

/** Steps that take a few milliseconds at most. */
const FEW_STEPS = 500_000;

/**
 * A test of texts by a regular expression that cannot hold the process: where the pattern and the length of the text leave it possible that the search takes long,
 * it runs against the clock and is ended with 51156, the code a server has for a search that exceeds its match limit.
 */
export function boundedTest(regex: RegExp): (text: string) => boolean {
  const steps = stepsOf(regex);
  return (text) =>
    steps(text.length) <= FEW_STEPS ? refusing(() => regex.test(text)) : refusing(() => againstTheClock(regex, text));
}

// A script with a time limit is the one thing that ends a search in V8; it costs a quarter of a millisecond.
const search = new Script('regex.test(text)');
let room: Context | undefined;

function againstTheClock(regex: RegExp, text: string): boolean {
  room ??= createContext();
  Object.assign(room, { regex, text });
  return search.runInContext(room, { timeout: LIMITS.regexMs });
}

function refusing(run: () => boolean): boolean {
  try {
    return run();
  } catch (error) {
    // a pattern is compiled when it is first used
    if (error instanceof SyntaxError)
      throw storeError(51091, `Regular expression is invalid: ${error.message.slice(-80)}`);
    throw storeError(51156, 'Error occurred while executing regular expression: the match limit is exceeded');
  }
}

/**
 * How many steps a search in a text of some length may take, estimated from above: a choice of the pattern (a quantifier, an alternative) multiplies them by the ways
 * it can go, a pattern without an anchor is tried from every place, and a repeated group with a choice inside has no bound.
 */
export function stepsOf({ source, multiline }: RegExp): (length: number) => number {
  const choices: number[] = [];
  const opened: number[] = [];
  let inside = 0;
  for (const [token] of source.matchAll(TOKENS)) {
    const [most, ways] = repetition(token);
    if (most > 1 && inside > 0) return () => Number.POSITIVE_INFINITY;
    if (ways > 1) choices.push(ways);
    if (token.startsWith('(')) opened.push(choices.length);
    inside = token === ')' ? choices.length - (opened.pop() ?? 0) : 0;
  }
  const anchored = source.startsWith('^') && !multiline && !source.includes('|');
  return (length) => choices.reduce((steps, ways) => steps * Math.min(ways, length + 1), anchored ? 1 : length + 1);
}

// An escape, a class, the beginning of a group, its end, an alternative, a quantifier, anything else.
const TOKENS =
  /\\(?:[upP]\{[^}]*\}|k<[^>]*>|.)|\[(?:\\.|[^\]\\])*\]|\((?:\?(?:[:=!]|<[=!]|<[^>]*>))?|\)|\||[*+?]\??|\{\d+(?:,\d*)?\}\??|./gsu;

// How often the token lets what stands before it repeat, and how many ways it opens: a backward reference may take any part of the text.
function repetition(token: string): [most: number, ways: number] {
  if (/^[*+]/.test(token)) return [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  if (/^\\[1-9k]/.test(token)) return [1, Number.POSITIVE_INFINITY];
  if (token === '|' || /^\?/.test(token)) return [1, 2];
  const counts = /^\{(\d+)(,(\d*))?/.exec(token);
  if (!counts) return [1, 1];
  const [, least = '', range, most] = counts;
  if (!range) return [Number(least), 1];
  return most ? [Number(most), Number(most) - Number(least) + 1] : [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
}
