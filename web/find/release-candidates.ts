// The versions that a release of listed documents would release, and the warnings about them.
import { releaseWarnings } from '../document/release-warnings.ts';
import { type ReleaseOfQuery, TypedDocumentString } from '../generated/operations.ts';
import { execute } from '../shell/api-client.ts';
import type { ListedDocument } from './use-document-list.ts';

/** The newest version of a document, which is not released yet. */
export type Candidate = { document: ListedDocument; versionId: string; n: number };

/** Returns the newest versions of the documents, except those that are released already. */
export function releaseCandidates(documents: readonly ListedDocument[]): Candidate[] {
  return documents.flatMap((document) => {
    const [newest] = document.workspaces
      .flatMap(({ newestVersion: version }) => (version?.n ? [{ versionId: version.id, n: version.n }] : []))
      .sort((one, other) => other.n - one.n);
    if (!newest || document.revisions.some(({ versionN }) => versionN === newest.n)) return [];
    return [{ document, ...newest }];
  });
}

const BATCH = 20;

type Version = ReleaseOfQuery['version'];

/** Returns the warnings of all candidates, each with the number of its document; reads 20 versions per request. */
export async function warningsOf(candidates: readonly Candidate[], signal: AbortSignal): Promise<string[]> {
  const warnings: string[] = [];
  for (let start = 0; start < candidates.length; start += BATCH) {
    const batch = candidates.slice(start, start + BATCH);
    const ids = Object.fromEntries(batch.map(({ versionId }, at) => [`v${at}`, versionId]));
    const versions = await execute(versionsQuery(batch.length), ids, { signal });
    for (const [at, { document }] of batch.entries())
      for (const { message } of releaseWarnings(versions[`v${at}`]?.references ?? []))
        warnings.push(`${document.number}: ${message}`);
  }
  return warnings;
}

// there is no query for several versions: one field for each
function versionsQuery(count: number): TypedDocumentString<Record<string, Version>, Record<string, string>> {
  const names = Array.from({ length: count }, (_, at) => `v${at}`);
  const fields = names.map(
    (name) =>
      `${name}: version(id: $${name}) { references { number documentId resolution { n label obsolete versionId } } }`,
  );
  return new TypedDocumentString(
    `query ReleaseWarnings(${names.map((name) => `$${name}: ID!`).join()}) { ${fields.join(' ')} }`,
  );
}
