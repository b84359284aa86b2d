// Fetches and caches the public keys of the identity provider.
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import type { Log } from '../../core/platform/log.ts';

const REFRESH_AFTER_MS = 600_000;
const MIN_INTERVAL_MS = 10_000;
const TIMEOUT_MS = 5_000;
const MAX_BYTES = 1_048_576;

/** Thrown if a token cannot be verified because the provider's keys could not be fetched. */
export class KeysUnavailableError extends Error {}

/**
 * Creates a function that finds the provider's key for a token. The keys are cached, and fetched again after 10 minutes
 * and for unknown keys, but at most every 10 seconds. While the provider is unreachable, cached keys stay valid.
 * Without the key the function throws `KeysUnavailableError` or `JWKSNoMatchingKey`: no token is accepted unverified.
 */
export function createKeyLookup(issuer: string, log: Log, clock: () => number): JWTVerifyGetKey {
  let keys: ReturnType<typeof createLocalJWKSet> | null = null;
  let fetchedAt = Number.NEGATIVE_INFINITY;
  let lastError: Error | null = null;
  let pending: Promise<void> | null = null;

  const refresh = (): Promise<void> => {
    fetchedAt = clock();
    pending ??= fetchKeys(issuer)
      .then((found) => {
        keys = createLocalJWKSet(found);
        lastError = null;
      })
      .catch((error: Error) => {
        lastError = error;
        log.warn(
          { err: error, issuer, keysCached: keys !== null },
          'could not fetch the keys of the identity provider; cached keys stay valid',
        );
      })
      .finally(() => {
        pending = null;
      });
    return pending;
  };
  const refreshIfDue = async (): Promise<void> => {
    if (pending || clock() - fetchedAt >= MIN_INTERVAL_MS) await refresh();
  };

  return async (header, token) => {
    if (!keys) await refreshIfDue();
    else if (clock() - fetchedAt >= REFRESH_AFTER_MS) void refresh();
    try {
      if (keys) return await keys(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      await refreshIfDue();
      if (keys && !lastError) return keys(header, token);
    }
    throw new KeysUnavailableError(`Could not fetch the keys of ${issuer}`, { cause: lastError });
  };
}

async function fetchKeys(issuer: string): Promise<JSONWebKeySet> {
  const metadata = await fetchJson(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
  if (metadata.issuer !== issuer)
    throw new Error(`OIDC_ISSUER is ${issuer}, but its configuration names the issuer ${String(metadata.issuer)}`);
  const { keys } = await fetchJson(String(metadata.jwks_uri));
  if (!Array.isArray(keys)) throw new Error(`${metadata.jwks_uri} contains no list of keys`);
  return { keys };
}

async function fetchJson(address: string): Promise<Record<string, unknown>> {
  const url = new URL(address);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && LOOPBACK.has(url.hostname)))
    throw new Error(`${address} must be an https:// URL`);
  const response = await fetch(url, {
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: { accept: 'application/json' },
  });
  if (!response.ok) throw new Error(`${address} returned status ${response.status}`);
  const text = await response.text();
  if (text.length > MAX_BYTES) throw new Error(`${address} returned more than ${MAX_BYTES} characters`);
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null) throw new Error(`${address} did not return a JSON object`);
  return value as Record<string, unknown>;
}

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);
