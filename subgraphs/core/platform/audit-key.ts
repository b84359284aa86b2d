import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { CheckpointPost } from './checkpoint-post.ts';
import { keptFile } from './kept-file.ts';

/**
 * What the sealer of the audit log signs with, and where its checkpoints go outside the store: a file that they are appended to, an
 * address that they are posted to, if there is one.
 */
export type Sealing = { key: KeyObject; checkpointFile: string | null; post?: CheckpointPost };

/** The key that signs the checkpoints of the audit log: Ed25519, a PEM file in the data folder that only its owner can read, made when it is missing. */
export function auditKeyOf(dataDir: string): KeyObject {
  const path = fileIn(dataDir);
  return keyIn(
    path,
    keptFile(path, () => generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' })),
  );
}

/** The same key, or null where there is none. */
export function presentAuditKey(dataDir: string): KeyObject | null {
  const path = fileIn(dataDir);
  return statSync(path, { throwIfNoEntry: false }) ? keyIn(path, readFileSync(path)) : null;
}

function keyIn(path: string, pem: Buffer): KeyObject {
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch (error) {
    throw new Error(`${path} is damaged: it holds no private key. Restore it from a backup.`, { cause: error });
  }
  throw new Error(`${path} holds another kind of key than Ed25519. Restore it from a backup.`);
}

function fileIn(dataDir: string): string {
  return join(dataDir, 'audit-key');
}
