// Checks that the name of a view is free.
import { refuse } from '../../core/domain/errors.ts';
import { nameMatcher } from '../../core/domain/text/text.ts';
import { describeDraftOrVersion } from '../../core/domain/versions/describe-draft-or-version.ts';
import type { ViewRecord } from '../../core/store/schema/collections.ts';
import type { VersionContext } from '../../core/store/versions.ts';

/** Returns the name. Throws `name_taken` if one of the views, other than `renamed`, has it, ignoring case. */
export function requireFreeViewName(
  views: readonly ViewRecord[],
  name: string,
  context: VersionContext,
  renamed?: ViewRecord,
): string {
  const isTaken = nameMatcher(name);
  const holder = views.find((view) => view._id !== renamed?._id && isTaken(view.name));
  if (!holder) return name;
  return refuse(
    'name_taken',
    `There is already a view "${holder.name}" of ${describeDraftOrVersion(context)}. Choose another name; case is ignored.`,
    { name: holder.name, viewId: holder._id },
  );
}
