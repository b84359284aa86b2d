// Predicts the warnings of a release from the references of a version, as the service would return them.
import type { ReleaseOfQuery } from '../generated/operations.ts';

type Reference = Pick<
  NonNullable<ReleaseOfQuery['version']>['references'][number],
  'number' | 'documentId' | 'resolution'
>;
/** A warning about a referenced version. */
export type ReleaseWarning = { documentId: string; versionId: string; message: string };

/** Returns one warning per referenced version that is unreleased or obsolete, in reference order. */
export function releaseWarnings(references: readonly Reference[]): ReleaseWarning[] {
  const warnings = references.flatMap(({ number, documentId, resolution }): ReleaseWarning[] => {
    if (!resolution || documentId === null || (resolution.label !== null && !resolution.obsolete)) return [];
    const { label, n, versionId } = resolution;
    const message =
      label === null ? `${number} version ${n} is not released.` : `${number} revision ${label} is obsolete.`;
    return [{ documentId, versionId, message }];
  });
  return [...new Map(warnings.map((warning) => [warning.versionId, warning])).values()];
}
