// Whether the files of a generator are those of the place that its draft names.
import { refuse } from '../errors.ts';
import type { DocumentKind } from '../kinds.ts';

type Code = { repoUrl: string; ref: string; path: string; commit: string | null };

/** Refuses what is not a code document (`wrong_kind`). */
export function isCodeDocument({ number, kind }: { number: string; kind: DocumentKind }): void {
  if (kind !== 'code')
    refuse('wrong_kind', `Document ${number} is of kind ${kind}; only a code document has a generator.`, {
      kind,
      allowed: ['code'],
    });
}

/**
 * Refuses a version of a draft whose code was named and has not been fetched since (`code_not_synced`); without any code there is nothing to fetch.
 */
export function codeIsSynced({ _id, code }: { _id: string; code?: Code | null }): void {
  if (code && !code.commit) notSynced(_id, code);
}

/** The code of a draft or version that can be run. Refuses with `code_not_synced` while none was named or fetched. */
export function syncedCode({ _id, code }: { _id: string; code?: Code | null }): Code & { commit: string } {
  if (!code)
    return refuse(
      'code_not_synced',
      'No code is named here yet. Name its repository (PUT /versions/:id/code), then synchronise.',
      {
        versionId: _id,
      },
    );
  const { repoUrl, ref, path, commit } = code;
  return commit ? { repoUrl, ref, path, commit } : notSynced(_id, code);
}

function notSynced(versionId: string, { repoUrl, ref }: Code): never {
  return refuse(
    'code_not_synced',
    `The code at ${repoUrl} (${ref}) has not been fetched yet. Synchronise first (POST /versions/:id/code/sync).`,
    {
      versionId,
    },
  );
}
