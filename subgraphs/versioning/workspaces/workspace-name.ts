import { refuse } from '../../core/domain/errors.ts';
import { nameMatcher } from '../../core/domain/text/text.ts';
import type { DocumentRecord, WorkspaceRecord } from '../../core/store/schema/collections.ts';
import { workspacesOf } from '../../core/store/workspaces.ts';
import type { Work } from '../../core/work.ts';

/** The name, unless another workspace of the document, which the caller has locked, has it in any case: refuses with `name_taken`. */
export async function freeName(
  work: Work,
  document: DocumentRecord,
  name: string,
  renamed?: WorkspaceRecord,
): Promise<string> {
  if (name === renamed?.name) return name;
  const isTaken = nameMatcher(name);
  const holder = (await workspacesOf(work, [document._id])).find(
    (workspace) => workspace._id !== renamed?._id && isTaken(workspace.name),
  );
  if (!holder) return name;
  return refuse(
    'name_taken',
    `Document ${document.number} has a workspace "${holder.name}" already. Names count without their case.`,
    {
      name: holder.name,
      workspaceId: holder._id,
    },
  );
}
