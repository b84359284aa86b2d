import {
  type Change,
  planUpdates,
  type Unchanged,
  type UpdateTarget,
} from '../../core/domain/assembly/reference-update.ts';
import { refuse } from '../../core/domain/errors.ts';
import type { Context } from '../../core/graphql.ts';
import type { ArtifactRecord } from '../../core/store/schema/collections.ts';
import { placeName } from '../artifact-record.ts';
import { type ReferenceUpdate, referenceUpdates } from './reference-updates.ts';
import { rewriteReferences } from './rewrite-references.ts';

type Input = { versionId: string; paths?: readonly string[] | null; to?: UpdateTarget | null };

/** Which occurrences were moved, and why each other one that was asked for was not. `artifact` is the new asm.json, null when nothing moved. */
export type ReferenceUpdateResult = { changed: Change[]; unchanged: Unchanged[]; artifact: ArtifactRecord | null };

/**
 * Moves pinned references of a draft to newer states of their documents: those at the paths, or all. A label moves to the newest label, a version to
 * the newest version, unless `to` says which. Refuses paths that are no references (`validation_failed`), and what an upload of the
 * asm.json would be refused for.
 */
export async function updateReferences(
  context: Context,
  { versionId, paths, to }: Input,
): Promise<ReferenceUpdateResult> {
  const { plan, artifact } = await rewriteReferences(context, {
    versionId,
    decide: async (scope) => {
      const updates = await referenceUpdates(scope, versionId);
      if (paths) knownPaths(paths, updates);
      return planUpdates(updates, paths ? new Set(paths) : null, to);
    },
    told: (place, { changed }) => ({
      action: 'references.updated',
      summary: `${changed.length === 1 ? 'A reference' : `${changed.length} references`} of ${placeName(place)} moved to newer states.`,
    }),
  });
  return { ...plan, artifact };
}

function knownPaths(paths: readonly string[], updates: readonly ReferenceUpdate[]): void {
  const known = new Set(updates.map(({ path }) => path));
  const errors = paths.flatMap((path, i) =>
    known.has(path) ? [] : [{ path: `/paths/${i}`, message: `there is no reference at ${path.slice(0, 200)}` }],
  );
  if (errors.length)
    refuse('validation_failed', `${errors[0]?.message}; the draft may have changed since it was read.`, {
      errors: errors.slice(0, 100),
    });
}
