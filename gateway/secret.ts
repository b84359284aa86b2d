import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The installation's secret: 32 random bytes in the data folder that only its owner can read, made at the first start. */
export function secretOf(dataDir: string): Buffer {
  const file = join(dataDir, 'secret');
  try {
    writeFileSync(file, randomBytes(32), { mode: 0o600, flag: 'wx', flush: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const secret = readFileSync(file);
  if (secret.length < 32)
    throw new Error(`${file} is damaged: it has ${secret.length} bytes instead of 32. Restore it from a backup, or delete it to get a new one.`);
  return secret;
}
