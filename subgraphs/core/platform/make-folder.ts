import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder, and those above it that are missing, for its owner alone; answers with the topmost one it made, undefined when all were there. Fails in
 * a sentence where none can be. One after the other, as `recursive` tries for ever where the system has no place for any, as in /proc.
 */
export function makeFolder(folder: string): string | undefined {
  if (existsSync(folder)) {
    if (statSync(folder).isDirectory()) return undefined;
    throw new Error(`${folder} is no folder.`);
  }
  const topmost = makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // another process made it at the same moment
    if (existsSync(folder)) return makeFolder(folder);
    throw new Error(`There can be no folder ${folder}: ${error instanceof Error ? error.message : error}.`);
  }
  return topmost ?? folder;
}
