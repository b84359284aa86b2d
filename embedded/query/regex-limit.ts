// Limits the time of regular expressions.
import { type Context, createContext, Script } from 'node:vm';
import { storeError } from '../protocol/errors.ts';
import { LIMITS } from '../protocol/limits.ts';

/** A search with this many steps takes a few milliseconds. */
const MAX_UNTIMED_STEPS = 500_000;

/**
 * Returns a test that cannot block the process. If the pattern and the length of the text allow a long search, it runs
 * with a time limit and throws Location51156, the code of a MongoDB server whose match limit is exceeded.
 */
export function createBoundedTest(regex: RegExp): (text: string) => boolean {
  const steps = estimateSteps(regex);
  return (text) =>
    steps(text.length) <= MAX_UNTIMED_STEPS
      ? convertErrors(() => regex.test(text))
      : convertErrors(() => testWithTimeout(regex, text));
}

// Only the timeout of a script can end a regular expression in V8. It costs a quarter of a millisecond.
const SEARCH = new Script('regex.test(text)');
let context: Context | undefined;

function testWithTimeout(regex: RegExp, text: string): boolean {
  context ??= createContext();
  Object.assign(context, { regex, text });
  return SEARCH.runInContext(context, { timeout: LIMITS.regexMs });
}

function convertErrors(run: () => boolean): boolean {
  try {
    return run();
  } catch (error) {
    // V8 compiles a pattern on first use.
    if (error instanceof SyntaxError)
      throw storeError(51091, `Regular expression is invalid: ${error.message.slice(-80)}`);
    throw storeError(51156, 'Error occurred while executing regular expression: the match limit is exceeded');
  }
}

/**
 * Estimates an upper bound for the steps of a search in a text of a given length. A choice (quantifier or alternative)
 * multiplies the steps by its number of ways, a pattern without an anchor is tried at every position, and a repeated
 * group that contains a choice has no bound.
 */
export function estimateSteps({ source, multiline }: RegExp): (length: number) => number {
  const choices: number[] = [];
  const opened: number[] = [];
  let choicesInGroup = 0;
  for (const [token] of source.matchAll(TOKENS)) {
    const [max, ways] = repetition(token);
    if (max > 1 && choicesInGroup > 0) return () => Number.POSITIVE_INFINITY;
    if (ways > 1) choices.push(ways);
    if (token.startsWith('(')) opened.push(choices.length);
    choicesInGroup = token === ')' ? choices.length - (opened.pop() ?? 0) : 0;
  }
  const anchored = source.startsWith('^') && !multiline && !source.includes('|');
  return (length) => choices.reduce((steps, ways) => steps * Math.min(ways, length + 1), anchored ? 1 : length + 1);
}

// An escape, class, start of a group, end of a group, alternative, quantifier, or any other character.
const TOKENS =
  /\\(?:[upP]\{[^}]*\}|k<[^>]*>|.)|\[(?:\\.|[^\]\\])*\]|\((?:\?(?:[:=!]|<[=!]|<[^>]*>))?|\)|\||[*+?]\??|\{\d+(?:,\d*)?\}\??|./gsu;

// How often a token repeats the preceding item, and how many ways it can match. A backreference can match text of any
// length.
function repetition(token: string): [max: number, ways: number] {
  if (/^[*+]/.test(token)) return [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  if (/^\\[1-9k]/.test(token)) return [1, Number.POSITIVE_INFINITY];
  if (token === '|' || /^\?/.test(token)) return [1, 2];
  const counts = /^\{(\d+)(,(\d*))?/.exec(token);
  if (!counts) return [1, 1];
  const [, min = '', range, max] = counts;
  if (!range) return [Number(min), 1];
  return max ? [Number(max), Number(max) - Number(min) + 1] : [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
}
