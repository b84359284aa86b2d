import type { Context } from '../core/graphql.ts';
import { documentByIdOrNumber } from '../core/store/documents.ts';
import type { ArtifactRecord } from '../core/store/schema/collections.ts';
import type { Loaders } from './loaders.ts';

/** The newest picture of a document, by id or number; null while there is none. Refuses an unknown document with `not_found`. */
export async function newestThumbnail(
  { scope, loaders }: Context<Loaders>,
  { documentId }: { documentId: string },
): Promise<ArtifactRecord | null> {
  const { _id } = await documentByIdOrNumber(scope, documentId);
  return loaders.newestThumbnail.load(_id);
}
