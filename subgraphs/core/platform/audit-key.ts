// The Ed25519 key that signs the checkpoints of the audit log.
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CheckpointSender } from './checkpoint-sender.ts';
import { readOrCreateFile } from './read-or-create-file.ts';

/**
 * The key that signs checkpoints, and where they are copied: appended to a file, posted to a URL, or both. Only the
 * process that seals may ask for the signing key. `publicKey` returns null until there is a key.
 */
export type Sealing = {
  signingKey(): KeyObject;
  publicKey(): KeyObject | null;
  checkpointFile: string | null;
  checkpointSender?: CheckpointSender;
};

/** Returns the key from the data folder (PEM, readable only by its owner); creates it if it is missing. */
export function readOrCreateAuditKey(dataDir: string): KeyObject {
  const path = keyFileIn(dataDir);
  const pem = readOrCreateFile(path, () =>
    generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }),
  );
  return parseKey(path, pem);
}

/**
 * Returns the public key, which verifies checkpoints, from the data folder: of `audit-key`, or of `audit-key.pub` where
 * the process must not have the key. Null if there is neither.
 */
export function readAuditPublicKey(dataDir: string): KeyObject | null {
  const path = keyFileIn(dataDir);
  if (existsSync(path)) return createPublicKey(parseKey(path, readFileSync(path)));
  const publicPath = publicKeyFileIn(dataDir);
  return existsSync(publicPath) ? createPublicKey(readFileSync(publicPath)) : null;
}

/** Writes the public key of a key to a data folder whose processes verify checkpoints but do not sign them. */
export function writeAuditPublicKey(dataDir: string, key: KeyObject): void {
  writeFileSync(publicKeyFileIn(dataDir), createPublicKey(key).export({ format: 'pem', type: 'spki' }), {
    mode: 0o600,
  });
}

function parseKey(path: string, pem: Buffer): KeyObject {
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch (error) {
    throw new Error(`${path} is damaged: it does not contain a private key. Restore it from a backup.`, {
      cause: error,
    });
  }
  throw new Error(`${path} does not contain an Ed25519 key. Restore it from a backup.`);
}

/** Returns the path of the key in a data folder. */
export function keyFileIn(dataDir: string): string {
  return join(dataDir, 'audit-key');
}

function publicKeyFileIn(dataDir: string): string {
  return `${keyFileIn(dataDir)}.pub`;
}
