// The secrets that webhooks are signed with, stored so that only this installation can open them: AES-256-GCM, the webhook's id bound to each.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { SecureContext } from 'node:tls';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const SECRET_BYTES = 32;

/**
 * How deliveries go out: the key that the secrets are closed with, the networks that are allowed although they are not public, and
 * whose certificates are trusted (null: those that Node trusts).
 */
export type WebhookPolicy = { key: Buffer; networks: readonly string[]; trust: SecureContext | null };

/** The key of the secrets, derived from the installation's secret, so that no two uses of the secret share a key. */
export function webhookKey(secret: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'pdm webhook secrets', 32));
}

/** A fresh secret, and the same closed, as base64. */
export function freshSecret(key: Buffer, webhookId: string): { secret: Buffer; sealed: string } {
  const secret = randomBytes(SECRET_BYTES);
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(webhookId));
  const closed = Buffer.concat([cipher.update(secret), cipher.final()]);
  return { secret, sealed: Buffer.concat([nonce, cipher.getAuthTag(), closed]).toString('base64') };
}

/** Opens a closed secret; null when the installation's secret is another one than it was, or the text was changed. */
export function openedSecret(key: Buffer, webhookId: string, sealed: string): Buffer | null {
  const bytes = Buffer.from(sealed, 'base64');
  const [nonce, tag] = [bytes.subarray(0, NONCE_BYTES), bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES)];
  if (tag.length !== TAG_BYTES) return null;
  const decipher = createDecipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(webhookId)).setAuthTag(tag);
  const opened = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
  try {
    return Buffer.concat([opened, decipher.final()]);
  } catch {
    // GCM says no more than that
    return null;
  }
}
