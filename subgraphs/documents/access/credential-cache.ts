// Caches the users of valid credentials for 5 seconds, which limits how long other processes accept a revoked
// credential.
import type { Actor } from '../../core/domain/access/actor.ts';
import type { Services } from '../../core/work.ts';

const MAX_AGE_MS = 5_000;
const MAX_ENTRIES = 1_000;

type Entry = { actor: Actor; until: number };

export type CredentialCache = {
  /** The user of a credential that was authenticated within the last 5 seconds, or null. */
  get(key: string): Actor | null;
  /** Whether the cache still contains the credential, even if its entry is out of date. */
  wasValid(key: string): boolean;
  /**
   * Authenticates a credential and caches the user. The entry is out of date if the cache was invalidated meanwhile.
   */
  load(key: string, authenticate: () => Promise<Actor>): Promise<Actor>;
};

type InvalidatingCache = CredentialCache & { invalidate(): void };

const CACHES = new WeakMap<Services, InvalidatingCache>();

/** Returns the cache of this process. Keys are hashes of credentials. */
export function credentialCache(services: Services): CredentialCache {
  return cacheOf(services);
}

/** Invalidates all entries. Call it after a change to a token, user or session. */
export function invalidateCredentials(services: Services): void {
  cacheOf(services).invalidate();
}

function cacheOf(services: Services): InvalidatingCache {
  const cache = CACHES.get(services) ?? createCache();
  CACHES.set(services, cache);
  return cache;
}

function createCache(): InvalidatingCache {
  const entries = new Map<string, Entry>();
  const loading = new Map<string, Promise<Actor>>();
  let generation = 0;
  return {
    get(key) {
      const entry = entries.get(key);
      return entry && entry.until > performance.now() ? entry.actor : null;
    },
    wasValid: (key) => entries.has(key),
    load(key, authenticate) {
      const shared = loading.get(key);
      if (shared) return shared;
      const load = async () => {
        const before = generation;
        const actor = await authenticate();
        entries.delete(key);
        entries.set(key, { actor, until: before === generation ? performance.now() + MAX_AGE_MS : 0 });
        if (entries.size > MAX_ENTRIES) entries.delete(entries.keys().next().value ?? '');
        return actor;
      };
      const loaded = load().finally(() => {
        if (loading.get(key) === loaded) loading.delete(key);
      });
      loading.set(key, loaded);
      return loaded;
    },
    invalidate() {
      generation += 1;
      loading.clear();
      for (const entry of entries.values()) entry.until = 0;
    },
  };
}
