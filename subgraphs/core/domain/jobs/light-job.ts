// Light jobs: a slot of its own keeps them from waiting behind large files.
import type { JobType } from '../kinds.ts';

/** The maximum size of the source of a light job. */
export const MAX_LIGHT_BYTES = 2_000_000;

/** Returns whether a job converts a small source. The inputs of other jobs do not say how long they take. */
export function isLightJob({ type, inputBytes }: { type: JobType; inputBytes?: number }): boolean {
  return type === 'convert' && inputBytes !== undefined && inputBytes <= MAX_LIGHT_BYTES;
}
