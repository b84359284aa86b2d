import { createPrivateKey, generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CheckpointPost } from './checkpoint-post.ts';

/**
 * What the sealer of the audit log signs with, and where its checkpoints go outside the store: a file that they are appended to, an
 * address that they are posted to, if there is one.
 */
export type Sealing = { key: KeyObject; checkpointFile: string | null; post?: CheckpointPost };

/** The key that signs the checkpoints of the audit log: Ed25519, a PEM file in the data folder that only its owner can read, made when it is missing. */
export function auditKeyOf(dataDir: string): KeyObject {
  const present = presentAuditKey(dataDir);
  if (present) return present;
  const path = fileIn(dataDir);
  const fresh = `${path}.${randomUUID()}`;
  writeFileSync(fresh, generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600, flag: 'wx', flush: true });
  try {
    // Whole or not at all, and never over one that is there.
    linkSync(fresh, path);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  } finally {
    rmSync(fresh);
  }
  return readKey(path);
}

/** The same key, or null where there is none. */
export function presentAuditKey(dataDir: string): KeyObject | null {
  try {
    return readKey(fileIn(dataDir));
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}

function readKey(path: string): KeyObject {
  const pem = readFileSync(path);
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

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
