// Reads the newest thumbnail of a document.
import type { Context } from '../core/graphql.ts';
import { getByIdOrNumber } from '../core/store/documents.ts';
import type { ArtifactRecord } from '../core/store/schema/collections.ts';
import type { Loaders } from './loaders.ts';

/** Returns the newest thumbnail of a document, or null. Throws `not_found` for an unknown id or number. */
export async function newestThumbnail(
  { scope, loaders }: Context<Loaders>,
  { documentId }: { documentId: string },
): Promise<ArtifactRecord | null> {
  const { _id } = await getByIdOrNumber(scope, documentId);
  return loaders.newestThumbnail.load(_id);
}
