import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { readOrCreateFile } from './read-or-create-file.ts';

/**
 * Returns the installation secret (32 bytes, readable only by its owner) from the data folder; creates it if it is
 * missing.
 */
export function readOrCreateSecret(dataDir: string): Buffer {
  const file = join(dataDir, 'secret');
  const secret = readOrCreateFile(file, () => randomBytes(32));
  if (secret.length < 32)
    throw new Error(
      `${file} is damaged: it has ${secret.length} bytes instead of 32. Restore it from a backup, or delete it to get a new one.`,
    );
  return secret;
}
