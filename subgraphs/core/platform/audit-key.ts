// The Ed25519 key that signs the checkpoints of the audit log.
import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { CheckpointSender } from './checkpoint-sender.ts';
import { readOrCreateFile } from './read-or-create-file.ts';

/** The key that signs checkpoints, and where they are copied: appended to a file, posted to a URL, or both. */
export type Sealing = { key: KeyObject; checkpointFile: string | null; checkpointSender?: CheckpointSender };

/** Returns the key from the data folder (PEM, readable only by its owner); creates it if it is missing. */
export function readOrCreateAuditKey(dataDir: string): KeyObject {
  const path = keyFileIn(dataDir);
  const pem = readOrCreateFile(path, () =>
    generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }),
  );
  return parseKey(path, pem);
}

/** Returns the key from the data folder, or null if there is none. */
export function readAuditKey(dataDir: string): KeyObject | null {
  const path = keyFileIn(dataDir);
  return statSync(path, { throwIfNoEntry: false }) ? parseKey(path, readFileSync(path)) : null;
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

function keyFileIn(dataDir: string): string {
  return join(dataDir, 'audit-key');
}
