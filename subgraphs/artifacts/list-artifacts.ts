// Sorts and pages the files of a draft or version.

import { paginateInMemory } from '../core/domain/text/paginate-in-memory.ts';
import type { Page, PageInput } from '../core/domain/text/paging.ts';
import type { ArtifactRecord } from '../core/store/schema/collections.ts';

/** Returns a page of the files of a draft or version, by default sorted by kind. */
export function pageOfArtifacts(
  versionId: string,
  all: readonly ArtifactRecord[],
  input: PageInput<'kind' | 'name' | 'createdAt'>,
): Page<ArtifactRecord> {
  return paginateInMemory(all, input, {
    list: `artifacts:${versionId}`,
    keys: {
      kind: ({ kind }) => kind,
      name: ({ fileName }) => fileName,
      createdAt: ({ createdAt }) => createdAt.getTime(),
    },
    idOf: ({ _id }) => _id,
    defaultOrder: { sort: 'kind', descending: false },
  });
}
