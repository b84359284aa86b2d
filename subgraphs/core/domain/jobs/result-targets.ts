// Decides where the result of a job is stored.

import { refuse } from '../errors.ts';

type Candidate = { _id: string };
type InputFile = { versionId: string; sha256: string };

/**
 * Returns the candidates (the draft or version of the job and others that wait for it) whose input is still the one
 * that the result was created from. Throws `stale_input` if there is none.
 */
export function findResultTargets<T extends Candidate>(
  candidates: readonly T[],
  inputs: readonly InputFile[],
  result: { fromSha256: string; forVersionId: string },
): T[] {
  const current = new Map(inputs.map(({ versionId, sha256 }) => [versionId, sha256]));
  const targets = candidates.filter(({ _id }) => current.get(_id) === result.fromSha256);
  if (targets.length) return targets;
  return refuse(
    'stale_input',
    'The source has changed since this result was created, so nothing was stored. The new source has its own job.',
    {
      expectedSha256: result.fromSha256,
      currentSha256: current.get(result.forVersionId) ?? null,
    },
  );
}
