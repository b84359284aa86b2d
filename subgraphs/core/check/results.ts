import type { DocumentWithContent } from '../store/query/scan.ts';
import type { Violation } from './invariant.ts';

/** Checks that each derived file was derived from a file beside it, or is marked as stale. */
export function resultViolations({ document, artifacts, jobs }: DocumentWithContent): Violation[] {
  const filesOf = Map.groupBy(artifacts, ({ versionId }) => versionId);
  const ownJobs = new Set(jobs.map(({ _id }) => _id));
  // the input of a generated or imported file is in another document: the generator or the imported assembly
  const isFromOtherDocument = document.generated !== undefined || document.importedFrom !== undefined;
  const isInputElsewhere = (jobId: string | null) => isFromOtherDocument && !(jobId && ownJobs.has(jobId));
  const withoutInput = artifacts.filter(
    ({ generator, stale, inputSha256, versionId, jobId }) =>
      generator !== null &&
      !stale &&
      !isInputElsewhere(jobId) &&
      !filesOf.get(versionId)?.some(({ sha256 }) => sha256 === inputSha256),
  );
  return withoutInput.map(({ _id, kind, fileName }) => ({
    invariant: 'I17',
    id: _id,
    message: `File "${fileName}" (${kind}) of ${document.number} was derived from an input that is not beside it, but is not marked stale.`,
  }));
}
