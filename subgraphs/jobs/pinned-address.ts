import { pinnedAddress as pinned, type Resolve } from '../core/platform/pinned-address.ts';
import { GitFault } from './code/run-git.ts';

export type { Resolve };

/** The one address that the connection to a repository's host is bound to. Refuses a host that leads into a network that is not allowed. */
export async function pinnedAddress(host: string, networks: readonly string[], resolve?: Resolve): Promise<string> {
  const found = await pinned(host, networks, resolve);
  if ('refused' in found)
    throw new GitFault(
      found.refused.endsWith('public internet') ? `${found.refused} (PDM_GIT_ALLOWED_NETWORKS)` : found.refused,
    );
  return found.address;
}
