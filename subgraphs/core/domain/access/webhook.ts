// The rules of webhooks: where they may lead, how they are signed (Standard Webhooks 1.0), when a delivery is tried again.
import { createHmac } from 'node:crypto';
import { isIP } from 'node:net';
import { refuse } from '../errors.ts';
import { isPublicAddress } from './network-address.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** Pauses after the first failure, the second …: eight more tries in about 24 hours. */
const PAUSES = [5 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 4 * HOUR, 7 * HOUR, 10 * HOUR];
const JITTER = 0.1;

/** How long, in milliseconds, after so many failures until the next try, a tenth more or less (`random` from 0 to 1); null: there is none. */
export function retryDelayMs(failures: number, random: number): number | null {
  const pause = PAUSES[failures - 1];
  return pause === undefined ? null : Math.round(pause * (1 - JITTER + 2 * JITTER * random));
}

/** The bytes of a fresh secret as its owner gets them. */
export function formatWebhookSecret(secret: Buffer): string {
  return `whsec_${secret.toString('base64')}`;
}

/** The headers that a message is sent with: its id, the seconds since 1970, a signature by each secret that is good. */
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

const LONGEST_URL = 2_000;

/**
 * The address of a webhook as it is stored. Refuses all but https, plain http where networks of one's own are allowed, credentials in the address,
 * and addresses of machines that are neither public nor allowed. Names are looked up at every delivery.
 */
export function validateWebhookUrl(given: string, networks: readonly string[]): string {
  const url = given.length <= LONGEST_URL && URL.canParse(given) ? new URL(given) : null;
  if (!url) return fault('must be an address like https://example.com/hook');
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && networks.length))
    fault('must begin with https:// (http:// only into networks of PDM_WEBHOOKS_ALLOWED_NETWORKS)');
  if (url.username || url.password) fault('must not hold a user or password: deliveries are signed instead');
  const host = hostOf(url);
  if (isIP(host) && !isPublicAddress(host, networks))
    fault(`leads to ${host}, which is not an address of the public internet (PDM_WEBHOOKS_ALLOWED_NETWORKS)`);
  url.hash = '';
  return url.href;
}

/** The host of an address, an IPv6 address without its brackets. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

function fault(message: string): never {
  return refuse('validation_failed', `url ${message}.`, { errors: [{ path: '/url', message }] });
}
