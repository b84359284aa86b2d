// Webhook rules: allowed URLs, signatures (Standard Webhooks 1.0) and retries.

import { createHmac } from 'node:crypto';
import { isIP } from 'node:net';
import { refuse } from '../errors.ts';
import { isPublicAddress } from './network-address.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** Delays after the first failure, the second and so on: eight retries in about 24 hours. */
const RETRY_DELAYS_MS = [5 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 4 * HOUR, 7 * HOUR, 10 * HOUR];
const JITTER = 0.1;

/** Returns the delay before the next try in milliseconds, ±10 % by `random` (0 to 1). Null after the last retry. */
export function retryDelayMs(failures: number, random: number): number | null {
  const delay = RETRY_DELAYS_MS[failures - 1];
  return delay === undefined ? null : Math.round(delay * (1 - JITTER + 2 * JITTER * random));
}

/** Returns the latest time for which a retry can be scheduled. */
export function latestRetry(now: Date): Date {
  return new Date(now.getTime() + Math.max(...RETRY_DELAYS_MS) * (1 + JITTER));
}

/** Formats the bytes of a new secret for its owner. */
export function formatWebhookSecret(secret: Buffer): string {
  return `whsec_${secret.toString('base64')}`;
}

/** Returns the headers of a message: its id, its Unix timestamp in seconds, and one signature for each valid secret. */
export function signatureHeaders(
  secrets: readonly Buffer[],
  { id, at, body }: { id: string; at: Date; body: string },
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signatures = secrets.map(
    (secret) => `v1,${createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')}`,
  );
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}

const MAX_URL_LENGTH = 2_000;

/**
 * Returns the normalized URL of a webhook. Throws `validation_failed` unless it is https, or http if private networks
 * are allowed, without credentials, and not an IP address that is neither public nor in an allowed network. Host names
 * are resolved and checked at delivery.
 */
export function validateWebhookUrl(text: string, networks: readonly string[]): string {
  const url = text.length <= MAX_URL_LENGTH && URL.canParse(text) ? new URL(text) : null;
  if (!url) return refuseUrl(`must be a URL like https://example.com/hook of at most ${MAX_URL_LENGTH} characters`);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && networks.length))
    refuseUrl('must start with https://, or http:// if PDM_WEBHOOKS_ALLOWED_NETWORKS is set');
  if (url.username || url.password)
    refuseUrl('must not contain a user or password; verify the signature of deliveries instead');
  const host = hostOf(url);
  if (isIP(host) && !isPublicAddress(host, networks))
    refuseUrl(`must not contain the private address ${host} unless PDM_WEBHOOKS_ALLOWED_NETWORKS includes it`);
  url.hash = '';
  return url.href;
}

/** Returns the host of a URL, an IPv6 address without its brackets. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

function refuseUrl(message: string): never {
  return refuse('validation_failed', `url ${message}.`, { errors: [{ path: '/url', message }] });
}
