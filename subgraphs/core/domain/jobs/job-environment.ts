import { refuse } from '../errors.ts';

// A claim looks up every environment that its worker fits; these two bounds keep that list short (137 values).
const MOST_REQUIRED = 2;
const MOST_OFFERED = 16;
const WORD_LENGTH = 80;

/**
 * What a worker offers, as sorted words without repetition: `{engine: "occt"}` becomes `engine:occt`, a list of words is taken as it is.
 * Refuses anything else, more than 16 words, and words of more than 80 characters or with blanks.
 */
export function environmentWords(environment: unknown): string[] {
  const words = [...new Set(wordsIn(environment))].sort();
  if (words.length > MOST_OFFERED) fault(`must have at most ${MOST_OFFERED} words`);
  if (!words.every((word) => word.length <= WORD_LENGTH && /^\S+$/.test(word)))
    fault(`must have words of 1 to ${WORD_LENGTH} characters without blanks`);
  return words;
}

/** The one value by which an environment is looked up. */
export function environmentKey(words: readonly string[]): string {
  return [...words].sort().join(' ');
}

/** The keys of every environment that a worker with these words satisfies: no word, each one, each two. */
export function environmentsServed(words: readonly string[]): string[] {
  const pairs = words.flatMap((word, index) => words.slice(index + 1).map((other) => [word, other]));
  return [[], ...words.map((word) => [word]), ...pairs].map(environmentKey);
}

/** The environment a job requires, as it is stored. A job that asks for more than two words would never be found: that is a bug. */
export function requiredEnvironment(environment: unknown): string[] {
  const words = environmentWords(environment);
  if (words.length > MOST_REQUIRED)
    throw new Error(`A job requires at most ${MOST_REQUIRED} words of environment, not ${words.join(', ')}`);
  return words;
}

function wordsIn(environment: unknown): string[] {
  if (environment === null || environment === undefined) return [];
  if (Array.isArray(environment)) return environment.map(wordOf);
  if (typeof environment === 'object')
    return Object.entries(environment).map(([key, value]) => `${key}:${wordOf(value)}`);
  return fault('must be an object of words or a list of words');
}

function wordOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : fault('must hold words');
}

function fault(message: string): never {
  return refuse('validation_failed', `environment ${message}.`, { errors: [{ path: '/environment', message }] });
}
