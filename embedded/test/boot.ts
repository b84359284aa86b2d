import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

/** A store started by hand on a port of its choosing; `uri` is undefined when it did not come up. `ended` tells the exit code or the signal. */
export type Booted = { child: ChildProcess; uri: string | undefined; ended: Promise<number | string | null> };

export async function boot(folder: string, environment: NodeJS.ProcessEnv = {}): Promise<Booted> {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, '../process/main.ts'), '--data', folder, '--port', '0'],
    {
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const lines: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => void lines.push(String(chunk)));
  const ended = new Promise<number | string | null>((resolve) =>
    child.once('exit', (code, signal) => resolve(signal ?? code)),
  );
  const ready = new Promise<string>((resolve) =>
    child.stdout.once('data', (chunk: Buffer) => resolve(String(chunk).trim().replace('ready ', ''))),
  );
  return { child, ended, uri: await Promise.race([ready, ended.then(() => undefined)]) };
}
