// Webhook signing secrets, encrypted with AES-256-GCM under a key of this installation; the webhook id is
// authenticated.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { SecureContext } from 'node:tls';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const SECRET_BYTES = 32;

/**
 * The delivery policy of webhooks: the key that encrypts their secrets, the allowed non-public networks, and the trusted
 * authorities (null: Node's defaults).
 */
export type WebhookPolicy = { key: Buffer; networks: readonly string[]; trust: SecureContext | null };

/** Derives the webhook key from the installation secret, so that each use of the secret has its own key. */
export function deriveWebhookKey(secret: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'pdm webhook secrets', 32));
}

/** Creates a secret and returns it with its encrypted form in base64. */
export function createWebhookSecret(key: Buffer, webhookId: string): { secret: Buffer; sealed: string } {
  const secret = randomBytes(SECRET_BYTES);
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(webhookId));
  const encrypted = Buffer.concat([cipher.update(secret), cipher.final()]);
  return { secret, sealed: Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64') };
}

/** Decrypts a secret. Returns null if the installation secret or the text has changed. */
export function decryptWebhookSecret(key: Buffer, webhookId: string, sealed: string): Buffer | null {
  const bytes = Buffer.from(sealed, 'base64');
  const [nonce, tag] = [bytes.subarray(0, NONCE_BYTES), bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES)];
  if (tag.length !== TAG_BYTES) return null;
  const decipher = createDecipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(webhookId)).setAuthTag(tag);
  const decrypted = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
  try {
    return Buffer.concat([decrypted, decipher.final()]);
  } catch {
    return null;
  }
}
