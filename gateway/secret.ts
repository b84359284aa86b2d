import { randomBytes, randomUUID } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The installation's secret: 32 random bytes in the data folder that only its owner can read, made at the first start by the process that comes first. */
export function secretOf(dataDir: string): Buffer {
  const file = join(dataDir, 'secret');
  const secret = read(file) ?? made(file);
  if (secret.length < 32)
    throw new Error(`${file} is damaged: it has ${secret.length} bytes instead of 32. Restore it from a backup, or delete it to get a new one.`);
  return secret;
}

// Whole or not at all, and never over the one of a process that starts at the same moment.
function made(file: string): Buffer {
  const fresh = `${file}.${randomUUID()}`;
  writeFileSync(fresh, randomBytes(32), { mode: 0o600, flag: 'wx', flush: true });
  try {
    linkSync(fresh, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(fresh);
  }
  return readFileSync(file);
}

function read(file: string): Buffer | null {
  try {
    return readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
