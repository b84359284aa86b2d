import type { WholeDocument } from '../store/query/whole-collections.ts';
import type { Violation } from './invariant.ts';

/** What was derived was made from a file that lies beside it, or says that it is stale. */
export function resultFaults({ document, artifacts, jobs }: WholeDocument): Violation[] {
  const beside = Map.groupBy(artifacts, ({ versionId }) => versionId);
  const own = new Set(jobs.map(({ _id }) => _id));
  // What a generator made was made from its code, what an import made from its STEP file: they lie in a document of their own.
  const made = document.generated !== undefined || document.importedFrom !== undefined;
  const fromElsewhere = (jobId: string | null) => made && !(jobId && own.has(jobId));
  const unfounded = artifacts.filter(
    ({ generator, stale, inputSha256, versionId, jobId }) =>
      generator !== null &&
      !stale &&
      !fromElsewhere(jobId) &&
      !beside.get(versionId)?.some(({ sha256 }) => sha256 === inputSha256),
  );
  return unfounded.map(({ _id, kind, fileName }) => ({
    invariant: 'I17',
    id: _id,
    message: `File "${fileName}" (${kind}) of ${document.number} was made from an input that is not beside it, and is not marked stale.`,
  }));
}
