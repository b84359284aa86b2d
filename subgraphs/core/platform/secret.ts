import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { keptFile } from './kept-file.ts';

/** The installation's secret: 32 random bytes in the data folder that only its owner can read, made at the first start by the process that comes first. */
export function secretOf(dataDir: string): Buffer {
  const file = join(dataDir, 'secret');
  const secret = keptFile(file, () => randomBytes(32));
  if (secret.length < 32)
    throw new Error(
      `${file} is damaged: it has ${secret.length} bytes instead of 32. Restore it from a backup, or delete it to get a new one.`,
    );
  return secret;
}
