import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import type { Log } from '../../core/platform/log.ts';

const OLD_AFTER = 600_000;
const PAUSE = 10_000;
const TIMEOUT = 5_000;
const MOST_BYTES = 1_048_576;

/** The keys are needed and could not be read. */
export class KeysUnreadable extends Error {}

/**
 * Finds the provider's key for a token: among the keys that were last read, which are kept while the provider cannot be reached; read again every
 * 10 minutes, and at most every 10 seconds for a key that is not among them. No key, no answer: a token is never believed unchecked.
 */
export function issuerKeys(issuer: string, log: Log, clock: () => number): JWTVerifyGetKey {
  let keys: ReturnType<typeof createLocalJWKSet> | null = null;
  let asked = Number.NEGATIVE_INFINITY;
  let fault: Error | null = null;
  let reading: Promise<void> | null = null;

  const read = (): Promise<void> => {
    asked = clock();
    reading ??= keysOf(issuer)
      .then((found) => {
        keys = createLocalJWKSet(found);
        fault = null;
      })
      .catch((error: Error) => {
        fault = error;
        log.warn(
          { err: error, issuer, keysKnown: keys !== null },
          'the keys of the identity provider cannot be read; those that are known stay good',
        );
      })
      .finally(() => {
        reading = null;
      });
    return reading;
  };
  const readUnlessJustAsked = async (): Promise<void> => {
    if (reading || clock() - asked >= PAUSE) await read();
  };

  return async (header, token) => {
    if (!keys) await readUnlessJustAsked();
    else if (clock() - asked >= OLD_AFTER) void read();
    try {
      if (keys) return await keys(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      await readUnlessJustAsked();
      if (keys && !fault) return keys(header, token);
    }
    throw new KeysUnreadable(`The keys of ${issuer} cannot be read`, { cause: fault });
  };
}

async function keysOf(issuer: string): Promise<JSONWebKeySet> {
  const metadata = await readJson(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
  if (metadata.issuer !== issuer)
    throw new Error(`OIDC_ISSUER is ${issuer}; what answers there calls itself ${String(metadata.issuer)}`);
  const { keys } = await readJson(String(metadata.jwks_uri));
  if (!Array.isArray(keys)) throw new Error(`${metadata.jwks_uri} holds no list of keys`);
  return { keys };
}

async function readJson(address: string): Promise<Record<string, unknown>> {
  const url = new URL(address);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && LOOPBACK.has(url.hostname)))
    throw new Error(`${address} is no https address`);
  const response = await fetch(url, {
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT),
    headers: { accept: 'application/json' },
  });
  if (!response.ok) throw new Error(`${address} answered ${response.status}`);
  const text = await response.text();
  if (text.length > MOST_BYTES) throw new Error(`${address} answers more than ${MOST_BYTES} bytes`);
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null) throw new Error(`${address} answers no JSON object`);
  return value as Record<string, unknown>;
}

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);
