// The author of a request.

import type { Role } from './permissions.ts';

/** The authenticated caller of a request, or the service itself (`system`). `via` is how the caller authenticated. */
export type Actor = {
  id: string;
  name: string;
  role: Role | 'system';
  tokenId: string | null;
  via: 'token' | 'session' | 'oidc' | 'system';
};
