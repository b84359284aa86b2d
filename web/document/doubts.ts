// What speaks against a release before it is made: the same that the service tells afterwards, as of what the page knows.
import type { ReleaseOfQuery } from '../generated/operations.ts';

type Used = Pick<NonNullable<ReleaseOfQuery['version']>['references'][number], 'number' | 'documentId' | 'resolution'>;
/** One sentence about something the version uses, and where that is looked at. */
export type Doubt = { documentId: string; versionId: string; message: string };

/** What a version uses that is not released, or obsolete: each once, in the order of its use. */
export function doubtsOf(references: readonly Used[]): Doubt[] {
  const doubts = references.flatMap(({ number, documentId, resolution }): Doubt[] => {
    if (!resolution || documentId === null || (resolution.label !== null && !resolution.obsolete)) return [];
    const { label, n, versionId } = resolution;
    const message =
      label === null ? `${number} version ${n} is not released.` : `${number} revision ${label} is obsolete.`;
    return [{ documentId, versionId, message }];
  });
  return [...new Map(doubts.map((doubt) => [doubt.versionId, doubt])).values()];
}
