// Rules on whether the code of a generator has been fetched.

import { refuse } from '../errors.ts';
import type { DocumentKind } from '../kinds.ts';

type Code = { repoUrl: string; ref: string; path: string; commit: string | null };

/** Throws `wrong_kind` unless the document is a code document. */
export function assertCodeDocument({ number, kind }: { number: string; kind: DocumentKind }): void {
  if (kind !== 'code')
    refuse('wrong_kind', `Document ${number} is of kind ${kind}. Only code documents have a generator.`, {
      kind,
      allowed: ['code'],
    });
}

/** Throws `code_not_synced` if a generator location is set but its code has not been fetched. */
export function assertCodeSynced({ _id, code }: { _id: string; code?: Code | null }): void {
  if (code && !code.commit) refuseNotSynced(_id, code);
}

/**
 * Returns the fetched code of a draft or version. Throws `code_not_synced` if no location is set or its code has not
 * been fetched.
 */
export function requireSyncedCode({ _id, code }: { _id: string; code?: Code | null }): Code & { commit: string } {
  if (!code)
    return refuse(
      'code_not_synced',
      'No generator location is set. Set it with PUT /versions/:id/code, then synchronize.',
      {
        versionId: _id,
      },
    );
  const { repoUrl, ref, path, commit } = code;
  return commit ? { repoUrl, ref, path, commit } : refuseNotSynced(_id, code);
}

function refuseNotSynced(versionId: string, { repoUrl, ref }: Code): never {
  return refuse(
    'code_not_synced',
    `The code at ${repoUrl} (${ref}) has not been fetched. Synchronize first with POST /versions/:id/code/sync.`,
    {
      versionId,
    },
  );
}
