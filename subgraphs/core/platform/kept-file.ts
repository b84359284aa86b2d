import { randomUUID } from 'node:crypto';
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

/**
 * What a file holds that only its owner can read. Where there is none it is made: whole or not at all, and never over the one of a process that
 * starts at the same moment.
 */
export function keptFile(file: string, make: () => string | Buffer): Buffer {
  if (!existsSync(file)) put(file, make());
  return readFileSync(file);
}

function put(file: string, content: string | Buffer): void {
  const fresh = `${file}.${randomUUID()}`;
  writeFileSync(fresh, content, { mode: 0o600, flag: 'wx', flush: true });
  try {
    linkSync(fresh, file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    rmSync(fresh);
  }
}
