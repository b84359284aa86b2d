import { refuse } from '../errors.ts';

type Candidate = { _id: string };
type InputFile = { versionId: string; sha256: string };

/**
 * Where a worker's result belongs: of the draft or version its job was queued for and of those that await the job, the ones whose input
 * is still the one the result was made from. Refuses with `stale_input` when there is none.
 */
export function resultTargets<T extends Candidate>(
  candidates: readonly T[],
  inputs: readonly InputFile[],
  made: { fromSha256: string; forVersionId: string },
): T[] {
  const current = new Map(inputs.map(({ versionId, sha256 }) => [versionId, sha256]));
  const targets = candidates.filter(({ _id }) => current.get(_id) === made.fromSha256);
  if (targets.length) return targets;
  return refuse(
    'stale_input',
    'The source has changed since this result was made; nothing was stored. The newer source has a job of its own.',
    {
      expectedSha256: made.fromSha256,
      currentSha256: current.get(made.forVersionId) ?? null,
    },
  );
}
