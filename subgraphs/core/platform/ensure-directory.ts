import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a directory and its missing parents with mode 0700. Returns the topmost one it created, or undefined if all
 * existed. Throws if one cannot be created. Not `mkdir` with `recursive`, which never returns on file systems such as
 * /proc.
 */
export function ensureDirectory(directory: string): string | undefined {
  if (existsSync(directory)) {
    if (statSync(directory).isDirectory()) return undefined;
    throw new Error(`${directory} is not a folder.`);
  }
  const topmost = ensureDirectory(dirname(directory));
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    // another process created it at the same time
    if (existsSync(directory)) return ensureDirectory(directory);
    throw new Error(`Cannot create the folder ${directory}: ${error instanceof Error ? error.message : error}.`);
  }
  return topmost ?? directory;
}
