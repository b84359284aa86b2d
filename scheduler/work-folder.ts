import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** The folder of this process below `parent`, empty; those of processes that are gone are deleted. */
export async function workFolder(parent: string): Promise<string> {
  await mkdir(parent, { recursive: true });
  for (const name of await readdir(parent))
    if (!isAlive(Number(name))) await rm(join(parent, name), { recursive: true, force: true });
  const own = join(parent, String(process.pid));
  await rm(own, { recursive: true, force: true });
  await mkdir(own);
  return own;
}

function isAlive(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    // The process of another user is alive too.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
