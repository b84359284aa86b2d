// Moves pinned references of a draft to newer releases or versions.
import {
  type AddressChange,
  planUpdates,
  type Unchanged,
  type UpdateTarget,
} from '../../core/domain/assembly/reference-update.ts';
import { refuse } from '../../core/domain/errors.ts';
import { pluralize } from '../../core/domain/text/pluralize.ts';
import { describeDraftOrVersion } from '../../core/domain/versions/describe-draft-or-version.ts';
import type { Context } from '../../core/graphql.ts';
import type { ArtifactRecord } from '../../core/store/schema/collections.ts';
import { type ReferenceUpdate, referenceUpdates } from './reference-updates.ts';
import { rewriteReferences } from './rewrite-references.ts';

type Input = { versionId: string; paths?: readonly string[] | null; to?: UpdateTarget | null };

/** Which occurrences changed and why others did not. `artifact` is the new asm.json; null if nothing changed. */
export type ReferenceUpdateResult = {
  changed: AddressChange[];
  unchanged: Unchanged[];
  artifact: ArtifactRecord | null;
};

/**
 * Updates pinned references of a draft, those at `paths` or all: a revision label to the newest label and a version
 * number to the newest version, unless `to` selects one of them for all. Throws `validation_failed` for paths that are
 * not references, and the errors of an upload of the asm.json.
 */
export async function updateReferences(
  context: Context,
  { versionId, paths, to }: Input,
): Promise<ReferenceUpdateResult> {
  const { plan, artifact } = await rewriteReferences(context, {
    versionId,
    planChanges: async (scope) => {
      const updates = await referenceUpdates(scope, versionId);
      if (paths) assertKnownPaths(paths, updates);
      return planUpdates(updates, paths ? new Set(paths) : null, to);
    },
    auditEntry: (target, { changed }) => ({
      action: 'references.updated',
      summary: `${pluralize(changed.length, 'reference')} of ${describeDraftOrVersion(target)} updated to newer versions.`,
    }),
  });
  return { ...plan, artifact };
}

function assertKnownPaths(paths: readonly string[], updates: readonly ReferenceUpdate[]): void {
  const known = new Set(updates.map(({ path }) => path));
  const errors = paths.flatMap((path, i) =>
    known.has(path) ? [] : [{ path: `/paths/${i}`, message: `there is no reference at ${path.slice(0, 200)}` }],
  );
  if (errors.length)
    refuse('validation_failed', `${errors[0]?.message}. The draft may have changed; read its references again.`, {
      errors: errors.slice(0, 100),
    });
}
