// Files that are created once and are readable only by their owner, e.g. keys.
import { randomUUID } from 'node:crypto';
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

/**
 * Returns the content of a file; creates it from `create` with mode 0600 if it is missing. Creation is atomic: of
 * processes that start at the same time, one creates the file and all return its content.
 */
export function readOrCreateFile(file: string, create: () => string | Buffer): Buffer {
  if (!existsSync(file)) createFile(file, create());
  return readFileSync(file);
}

function createFile(file: string, content: string | Buffer): void {
  const temporary = `${file}.${randomUUID()}`;
  try {
    writeFileSync(temporary, content, { mode: 0o600, flag: 'wx', flush: true });
    linkSync(temporary, file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}
