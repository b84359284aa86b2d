// Resolves the host of a Git repository.
import { pinnedAddress as pinned, type Resolve } from '../../core/platform/pinned-address.ts';
import { GitError } from './run-git.ts';

export type { Resolve };

/** Returns the IP address that git must connect to for a host. Throws a GitError if its network is not allowed. */
export async function resolveGitHost(host: string, networks: readonly string[], resolve?: Resolve): Promise<string> {
  const found = await pinned(host, networks, resolve);
  if ('reason' in found)
    throw new GitError(found.isInternal ? `${found.reason} (PDM_GIT_ALLOWED_NETWORKS)` : found.reason);
  return found.address;
}
