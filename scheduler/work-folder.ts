import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Creates an empty folder for this process below `parent`, and deletes the folders of processes that have ended. */
export async function createWorkFolder(parent: string): Promise<string> {
  await mkdir(parent, { recursive: true });
  for (const name of await readdir(parent))
    if (!isRunning(Number(name))) await rm(join(parent, name), { recursive: true, force: true });
  const folder = join(parent, String(process.pid));
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
  return folder;
}

function isRunning(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process exists but belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
