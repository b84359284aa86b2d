// Matches the environments that jobs require with those that workers offer.

import { refuse } from '../errors.ts';

// A claim looks up every environment that its worker covers; these limits keep that list short (137 keys).
const MAX_REQUIRED = 2;
const MAX_OFFERED = 16;
const MAX_TAG_LENGTH = 80;

/**
 * Parses the environment of a worker into sorted unique tags: `{engine: "occt"}` becomes `engine:occt`, a list of tags
 * is kept as is. Throws `validation_failed` for other values, more than 16 tags, and tags with whitespace or more than
 * 80 characters.
 */
export function parseEnvironment(environment: unknown): string[] {
  const tags = [...new Set(tagsIn(environment))].sort();
  if (tags.length > MAX_OFFERED) refuseEnvironment(`must have at most ${MAX_OFFERED} entries`);
  if (!tags.every((tag) => tag.length <= MAX_TAG_LENGTH && /^\S+$/.test(tag)))
    refuseEnvironment(`must have entries of 1 to ${MAX_TAG_LENGTH} characters without whitespace`);
  return tags;
}

/** Returns the key by which an environment is looked up. */
export function environmentKey(tags: readonly string[]): string {
  return [...tags].sort().join(' ');
}

/** Returns the keys of all environments that a worker with these tags covers: none, each tag, each pair. */
export function servedEnvironmentKeys(tags: readonly string[]): string[] {
  const pairs = tags.flatMap((tag, index) => tags.slice(index + 1).map((other) => [tag, other]));
  return [[], ...tags.map((tag) => [tag]), ...pairs].map(environmentKey);
}

/** Parses the environment that a job requires. Throws an Error for more than two tags: no claim would find the job. */
export function parseRequiredEnvironment(environment: unknown): string[] {
  const tags = parseEnvironment(environment);
  if (tags.length > MAX_REQUIRED)
    throw new Error(`A job can require at most ${MAX_REQUIRED} environment entries, not ${tags.join(', ')}`);
  return tags;
}

function tagsIn(environment: unknown): string[] {
  if (environment === null || environment === undefined) return [];
  if (Array.isArray(environment)) return environment.map(toTag);
  if (typeof environment === 'object')
    return Object.entries(environment).map(([key, value]) => `${key}:${toTag(value)}`);
  return refuseEnvironment('must be an object or a list of strings');
}

function toTag(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : refuseEnvironment('must have string, number or boolean values');
}

function refuseEnvironment(message: string): never {
  return refuse('validation_failed', `environment ${message}.`, { errors: [{ path: '/environment', message }] });
}
