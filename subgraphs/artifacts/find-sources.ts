// Finds source files by their content.
import { refuseFields } from '../core/domain/errors.ts';
import type { Context } from '../core/graphql.ts';
import type { ArtifactRecord } from '../core/store/schema/collections.ts';
import { filesOfSources } from '../core/store/source-versions.ts';

const MAX_HASHES = 200;
const SHA_256 = /^[0-9a-f]{64}$/;

/**
 * Returns the source files with the SHA-256 hashes, one for each hash, in their order: that of the oldest document which
 * is not archived. Hashes that no document has are left out. Throws `validation_failed` for more than 200 hashes, and
 * for text that is not a hash in lower-case hexadecimal digits.
 */
export async function findSources(
  { scope }: Context,
  { sha256 }: { sha256: readonly string[] },
): Promise<ArtifactRecord[]> {
  if (sha256.length > MAX_HASHES) refuseFields([{ path: '/sha256', message: `must have at most ${MAX_HASHES} items` }]);
  if (!sha256.every((each) => SHA_256.test(each)))
    refuseFields([{ path: '/sha256', message: 'must be SHA-256 hashes of 64 lower-case hexadecimal digits' }]);
  const hashes = [...new Set(sha256)];
  const files = await filesOfSources(scope, hashes);
  return hashes.flatMap((hash) => files.get(hash) ?? []);
}
