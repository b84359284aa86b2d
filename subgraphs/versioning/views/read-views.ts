// Lists the named views of a draft or version.
import { paginateInMemory } from '../../core/domain/text/paginate-in-memory.ts';
import type { Page, PageInput } from '../../core/domain/text/paging.ts';
import type { ViewRecord } from '../../core/store/schema/collections.ts';

/** Returns a page of the views of a draft or version, by default in the order of their creation. */
export function readViews(
  all: readonly ViewRecord[],
  versionId: string,
  input: PageInput<'name' | 'createdAt'>,
): Page<ViewRecord> {
  return paginateInMemory(all, input, {
    list: `views:${versionId}`,
    keys: { name: ({ name }) => name, createdAt: ({ createdAt }) => createdAt.getTime() },
    idOf: ({ _id }) => _id,
    defaultOrder: { sort: 'createdAt', descending: false },
  });
}
