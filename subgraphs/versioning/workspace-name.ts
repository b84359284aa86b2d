import { refuse } from '../core/domain/errors.ts';
import type { DocumentRecord, WorkspaceRecord } from '../core/store/collections.ts';
import { workspaceNamed } from '../core/store/workspaces.ts';
import type { Work } from '../core/work.ts';

/** The name, unless another workspace of the document, which the caller has locked, has it in any case: refuses with `name_taken`. */
export async function freeName(work: Work, document: DocumentRecord, name: string, renamed?: WorkspaceRecord): Promise<string> {
  const holder = await workspaceNamed(work, document._id, name);
  if (!holder || holder._id === renamed?._id) return name;
  return refuse('name_taken', `Document ${document.number} has a workspace "${holder.name}" already. Names count without their case.`, {
    name: holder.name,
    workspaceId: holder._id,
  });
}
